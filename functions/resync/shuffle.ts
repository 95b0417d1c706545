/** Answers the items in an order that `random` (0 to 1, 1 not included) decides (Fisher and Yates). Never changes the list it was given. */
export function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1));
    const [a, b] = [order[last], order[chosen]] as [Item, Item];
    order[last] = b;
    order[chosen] = a;
  }
  return order;
}

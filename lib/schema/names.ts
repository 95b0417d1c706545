import type { Random } from "./random.ts";

/** A number as a property of some name usually has it. */
export interface UsualNumber {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Answers a readable text for a property's name, one of several with a seed. Undefined where the name says nothing. */
export function textByName(name: string, random: Random | undefined): string | undefined {
  const plain = plainName(name);
  const entry = texts.find(([expression]) => expression.test(plain));
  return entry === undefined ? undefined : (random?.pick(entry[1]) ?? entry[1][0]);
}

/** Answers what a number of that name is usually like. Undefined where the name says nothing. */
export function numberByName(name: string): UsualNumber | undefined {
  const plain = plainName(name);
  const entry = numbers.find(([expression]) => expression.test(plain));
  if (entry === undefined) return undefined;
  const [, value, low, high] = entry;
  return { value, low, high };
}

/** Answers what an item of a list of that name is called, as far as English is regular. */
export function singular(name: string): string {
  if (name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  if (/(?:s|x|ch)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) ? name.slice(0, -1) : name;
}

/** Words in lower case, separated by one space: `firstName`, `first_name` and `First-Name` are alike. */
function plainName(name: string): string {
  if (name.length > 100) return "";
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  return words.replaceAll(/[^a-z\d]+/g, " ").trim();
}

/** Expressions over plain names; the first that is found counts. */
const texts: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\be ?mail( address)?$/, ["ada@example.com", "grace@example.com", "alan@example.com", "mary@example.org"]],
  [/\b(first|given|fore) ?name$/, ["Ada", "Grace", "Alan", "Mary", "Edsger", "Barbara"]],
  [/\b(last|family|sur) ?name$/, ["Lovelace", "Hopper", "Turing", "Shelley", "Dijkstra", "Liskov"]],
  [/\b(full|display) ?name$|^(author|owner|customer|contact|creator|assignee)$|\b(author|owner|customer|contact) name$/, ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Mary Shelley"]],
  [/\b(user ?name|login|nick ?name|handle)$/, ["ada", "grace", "alan", "mary"]],
  [/\b(company|organi[sz]ation|vendor|brand|manufacturer)( name)?$/, ["Example Ltd", "Acme Inc", "Initech", "Globex"]],
  [/\bfile ?name$/, ["report.pdf", "photo.png", "notes.txt"]],
  [/\bhost ?name$|\bdomain$|^host$/, ["api.example.com", "www.example.org", "db.example.net"]],
  [/\bname$|^label$/, ["Example", "Aurora", "Beacon", "Cobalt", "Dune", "Ember"]],
  [/\btitle$|^subject$|^headline$/, ["An example", "A first look", "Notes of May", "What comes next"]],
  [/\b(description|summary|comment|comments|note|notes|message|detail|details|text|body|content|reason|bio|abstract)$/, ["A short text.", "All is well.", "Please read this first.", "Nothing to add."]],
  [/\b(avatar|image|photo|picture|thumbnail|logo|icon)( url| uri)?s?$/, ["https://example.com/image.png", "https://example.org/photo.jpg"]],
  [/\b(url|uri|href|link|website|web site|homepage|callback|endpoint)s?$/, ["https://example.com/", "https://example.org/about", "https://example.net/news"]],
  [/\b(phone|mobile|telephone|fax)( number| no)?$/, ["+1 202 555 0143", "+44 20 7946 0018", "+49 30 901820"]],
  [/\bcountry code$/, ["SE", "DE", "GB", "JP"]],
  [/\bcountry( name)?$/, ["Sweden", "Germany", "Japan", "Chile"]],
  [/\b(city|town)( name)?$/, ["Stockholm", "Berlin", "Kyoto", "Valparaiso"]],
  [/\b(state|province|region)$/, ["Bavaria", "Ontario", "Tasmania"]],
  [/\b(zip|postal|post)( ?code)?$/, ["12345", "10115", "60311"]],
  [/\b(street|street address|address line ?\d?|address ?\d|line ?\d)$/, ["1 Main Street", "22 Harbour Road", "5 Station Lane"]],
  [/\baddress$/, ["1 Main Street, Springfield", "22 Harbour Road, Leeds"]],
  [/\bcurrency( code)?$/, ["EUR", "USD", "GBP", "SEK"]],
  [/\b(locale|language)( code)?$|^lang$/, ["en", "de", "sv", "ja"]],
  [/\btime ?zone$|^tz$/, ["Europe/Stockholm", "Asia/Tokyo", "America/Lima"]],
  [/\b(colou?r)$/, ["#1e90ff", "#2e8b57", "#ff6347"]],
  [/\b(status|state)$/, ["active", "pending", "done"]],
  [/\b(type|kind|category)$/, ["standard", "basic", "special"]],
  [/\btags?$|^keywords?$/, ["blue", "green", "new", "sale"]],
  [/\bversion$/, ["1.0.0", "1.2.3", "2.0.1"]],
  [/\bslug$/, ["an-example", "first-look", "notes"]],
  [/\b(ip|ip address)$/, ["192.0.2.1", "198.51.100.7", "203.0.113.9"]],
  [/\b(mac|mac address)$/, ["00:00:5e:00:53:01", "00:00:5e:00:53:af"]],
  [/\b(uuid|guid)$/, ["f81d4fae-7dec-41d0-a765-00a0c91e6bf6", "6fa459ea-ee8a-4ca4-894e-db77e160355e"]],
  [/\b(token|secret|api key|access key|session id)$/, ["example-token", "another-token"]],
  [/\bpassword$/, ["correct horse battery", "open sesame now"]],
  [/\b(date|day|birthday|dob)$/, ["2024-05-17", "2023-11-02", "2025-01-30"]],
  [/\b(created|updated|deleted|modified|expires|started|finished|published|timestamp)( at| on| date)?$|\b(at|time|timestamp)$/, ["2024-05-17T09:30:00Z", "2023-11-02T18:05:00Z"]],
  [/\b(code|sku|reference|ref|number|no)$/, ["A-1001", "B-2002", "C-3003"]],
  [/\b(id|ids|identifier)$/, ["a1b2c3", "d4e5f6", "g7h8i9"]],
  [/^key$/, ["key"]],
]; // oxfmt-ignore

const numbers: readonly (readonly [RegExp, value: number, low: number, high: number])[] = [
  [/\b(id|ids|identifier)$/, 1, 1, 9999],
  [/\bage$/, 36, 18, 90],
  [/\b(price|amount|cost|total|subtotal|balance|fee|salary|sum)$/, 9.99, 1, 999],
  [/\b(lat|latitude)$/, 59.33, -90, 90],
  [/\b(lon|lng|long|longitude)$/, 18.07, -180, 180],
  [/\byear$/, 2024, 2000, 2030],
  [/\bmonth$/, 5, 1, 12],
  [/\b(day|day of month)$/, 17, 1, 28],
  [/\b(hour|hours)$/, 9, 0, 23],
  [/\b(minute|minutes|second|seconds)$/, 30, 0, 59],
  [/\b(percent|percentage|progress)$/, 50, 0, 100],
  [/\b(rating|score|stars)$/, 4, 1, 5],
  [/\bport$/, 8080, 1024, 65_535],
  [/\b(timestamp|epoch)$/, 1_715_938_200, 1_600_000_000, 1_800_000_000],
  [/\b(limit|page size|per page)$/, 20, 1, 100],
  [/\b(page|page number|count|quantity|qty)$/, 1, 1, 20],
  [/\b(width|height|size|length)$/, 100, 1, 1000],
]; // oxfmt-ignore

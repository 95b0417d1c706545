/** The environment of the process `resync`, parsed and frozen. */
export interface Environment {
  readonly port: number;
  /** The image that mocks run. */
  readonly image: string;
  /** Where `reconcile` takes events. */
  readonly reconcile: string;
}

/** Answers what the environment says, or in one line what is wrong with it and what to do. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): Environment | string {
  const { PORT: port = "8080", MOCK_IMAGE: image = "", RECONCILE_URL: url = "" } = variables;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return `PORT is ${port}; set it to a port number`;
  if (image === "") return "MOCK_IMAGE is not set; set it to the image that mocks run";
  if (!URL.canParse(url) || !/^https?:/.test(url))
    return `RECONCILE_URL is ${url === "" ? "not set" : url}; set it to the URL of the function reconcile`;
  return Object.freeze({ port: Number(port), image, reconcile: url });
}

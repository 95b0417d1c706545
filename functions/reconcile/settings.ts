/** What the installation decides, read once at the start and never again. */
export interface Settings {
  /** The image that mocks run. */
  readonly image: string;
}

/** The environment of the process `reconcile`, parsed and frozen. */
export interface Environment {
  readonly port: number;
  readonly settings: Settings;
}

/** Answers what the environment says, or in one line what is wrong with it and what to do. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>>,
): Environment | string {
  const { PORT: port = "8080", MOCK_IMAGE: image = "" } = variables;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return `PORT is ${port}; set it to a port number`;
  if (image === "") return "MOCK_IMAGE is not set; set it to the image that mocks run";
  return Object.freeze({ port: Number(port), settings: Object.freeze({ image }) });
}

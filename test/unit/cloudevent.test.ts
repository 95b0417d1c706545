import { expect, test } from "vitest";
import { eventOf, keyOf, resyncEvent, toRequest } from "../../lib/cloudevent.ts";

const binary = {
  "ce-specversion": "1.0",
  "ce-id": "1",
  "ce-source": "https://10.96.0.1:443",
  "ce-type": "dev.knative.apiserver.ref.update",
  "content-type": "application/json",
};
const reference = {
  apiVersion: "apirator.io/v1alpha1",
  kind: "APIMock",
  namespace: "default",
  name: "bets",
};
const structured = {
  specversion: "1.0",
  id: "1",
  source: "test",
  type: "dev.knative.apiserver.ref.update",
  datacontenttype: "application/json",
  data: reference,
};
const key = { kind: "mock", namespace: "default", name: "bets" };

const read = (headers: Record<string, string>, body: string): unknown => {
  const reading = eventOf({ headers, body });
  return reading.kind === "event" ? keyOf(reading.event) : reading.why;
};

test.for([
  { of: "binary mode", headers: binary },
  {
    of: "upper-case header names",
    headers: Object.fromEntries(
      Object.entries(binary).map(([name, value]) => [name.toUpperCase(), value]),
    ),
  },
  { of: "a charset", headers: { ...binary, "content-type": "application/json; charset=UTF-8" } },
  {
    of: "a charset without a space",
    headers: { ...binary, "content-type": "application/json;charset=utf-8" },
  },
  { of: "a media type in capitals", headers: { ...binary, "content-type": "Application/JSON" } },
  { of: "a +json media type", headers: { ...binary, "content-type": "application/vnd.k8s+json" } },
  {
    of: "a contradicting ce-datacontenttype",
    headers: { ...binary, "ce-datacontenttype": "text/plain" },
  },
])("an event with $of is read", ({ headers }) => {
  expect(read(headers, `\n ${JSON.stringify(reference)}\n`)).toEqual(key);
});

test.for([
  "application/cloudevents+json",
  "application/cloudevents+json; charset=UTF-8",
  "Application/CloudEvents+JSON",
])("structured mode as %s is read", (type) => {
  expect(read({ "content-type": type }, ` ${JSON.stringify(structured)}\n`)).toEqual(key);
});

test.for([
  { of: "nothing", headers: {}, body: "", why: /neither/ },
  { of: "plain JSON", headers: { "content-type": "application/json" }, body: "{}", why: /neither/ },
  { of: "no id", headers: { ...binary, "ce-id": "" }, body: "{}", why: /lack ce-id/ },
  {
    of: "another version",
    headers: { ...binary, "ce-specversion": "9.9" },
    body: "{}",
    why: /9\.9/,
  },
  { of: "broken JSON", headers: binary, body: "{", why: /./ },
  {
    of: "a batch",
    headers: { "content-type": "application/cloudevents-batch+json" },
    body: "[]",
    why: /batch/,
  },
  {
    of: "no JSON in structured mode",
    headers: { "content-type": "application/cloudevents+json" },
    body: "x",
    why: /./,
  },
  {
    of: "an array in structured mode",
    headers: { "content-type": "application/cloudevents+json" },
    body: "[]",
    why: /object/,
  },
  {
    of: "no source in structured mode",
    headers: { "content-type": "application/cloudevents+json" },
    body: JSON.stringify({ ...structured, source: undefined }),
    why: /source/,
  },
  {
    of: "an attribute with a dash",
    headers: { ...binary, "ce-not-valid": "x" },
    body: "{}",
    why: /./,
  },
])("a request with $of is no event, and says why on one line", ({ headers, body, why }) => {
  const reading = eventOf({ headers, body });
  expect(reading.kind === "none" && reading.why).toMatch(why);
  expect(JSON.stringify(reading)).not.toContain("\\n");
});

const object = (apiVersion: string, kind: string, name: string): Record<string, string> => ({
  "ce-apiversion": apiVersion,
  "ce-kind": kind,
  "ce-namespace": "default",
  "ce-name": name,
});
const definition = (name: string): object => ({ kind: "definition", namespace: "default", name });

test.for([
  { of: "a mock", headers: object("apirator.io/v1alpha1", "APIMock", "bets"), subject: key },
  {
    of: "its KService",
    headers: object("serving.knative.dev/v1", "Service", "bets"),
    subject: key,
  },
  { of: "its Deployment", headers: object("apps/v1", "Deployment", "bets"), subject: key },
  { of: "its Service", headers: object("v1", "Service", "bets"), subject: key },
  { of: "its Ingress", headers: object("networking.k8s.io/v1", "Ingress", "bets"), subject: key },
  { of: "its ConfigMap", headers: object("v1", "ConfigMap", "bets-0123456789"), subject: key },
  {
    of: "a ConfigMap of another name",
    headers: object("v1", "ConfigMap", "apis"),
    subject: definition("apis"),
  },
  { of: "a Secret", headers: object("v1", "Secret", "bets"), subject: undefined },
  {
    of: "a foreign Service",
    headers: object("example.com/v1", "Service", "bets"),
    subject: undefined,
  },
  { of: "a name with a path in it", headers: object("v1", "Service", "../x"), subject: undefined },
  { of: "no name", headers: object("apirator.io/v1alpha1", "APIMock", ""), subject: undefined },
])("a reference to $of speaks of $subject", ({ headers, subject }) => {
  for (const verb of ["add", "update", "delete"])
    expect(
      read({ ...binary, ...headers, "ce-type": `dev.knative.apiserver.ref.${verb}` }, "{}"),
    ).toEqual(subject);
});

const owners = [
  { apiVersion: "apirator.io/v1alpha1", kind: "APIMock", name: "bets", controller: true },
];

test.for([
  {
    of: "a child of any name that a mock controls",
    data: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "default", name: "else", ownerReferences: owners },
    },
    subject: key,
  },
  {
    of: "a shared ConfigMap that is named like a child",
    data: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        namespace: "default",
        name: "bets-0123456789",
        labels: { "apirator.io/definition": "true" },
      },
    },
    subject: definition("bets-0123456789"),
  },
  {
    of: "a child that another controller took",
    data: {
      apiVersion: "serving.knative.dev/v1",
      kind: "Service",
      metadata: {
        namespace: "default",
        name: "bets",
        ownerReferences: [{ ...owners[0], kind: "Other" }],
      },
    },
    subject: key,
  },
])("a whole object tells more than a name: $of", ({ data, subject }) => {
  const headers = { ...binary, "ce-type": "dev.knative.apiserver.resource.update" };
  expect(read(headers, JSON.stringify(data))).toEqual(subject);
});

test("an event of any other type speaks of nothing", () => {
  const headers = {
    ...binary,
    ...object("apirator.io/v1alpha1", "APIMock", "bets"),
    "ce-type": "other",
  };
  expect(read(headers, "{}")).toBeUndefined();
});

test("a resync's event says the same after it was sent", () => {
  const event = resyncEvent(
    { namespace: "default", name: "bets" },
    { id: "7", time: "2030-01-01T00:00:00Z" },
  );
  const { headers, body } = toRequest(event);
  expect(headers).toMatchObject({ "ce-type": "io.apirator.apimock.resync", "ce-id": "7" });
  expect(read(headers, body)).toEqual(key);
});

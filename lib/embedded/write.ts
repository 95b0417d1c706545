import type { Key } from "../names.ts";
import type { KubeObject } from "../cluster/cluster.ts";
import type { Managed, Manager, Writer } from "./apply.ts";
import { applyBody, ownersOf, sameManagers, updateBody } from "./apply.ts";
import type { Json, JsonObject } from "./json.ts";
import { freezeJson, mostBytes, omit, sameJson } from "./json.ts";
import { bodyOf, metadataOf, pick, serverSide, timestamp } from "./metadata.ts";
import type { Asked } from "./refusal.ts";
import { badRequest, conflict, invalid, notFound, refusal } from "./refusal.ts";
import type { Cause, Resource } from "./resource.ts";
import { asJson, asObject } from "./resource.ts";
import { metadataCauses } from "./object-meta.ts";
import { throughType } from "./typed.ts";
import type { Entry, Store } from "./store.ts";
import { storeKey } from "./store.ts";

/** Largest request that etcd takes, in bytes of JSON. */
const largestObject = 1.5 * 1024 * 1024;

/** What a write needs beside the object: where it goes, when it is, and what a new object is called by. */
export interface World {
  readonly store: Store;
  now(): Date;
  uid(): string;
}

/** One write: who, what kind, which object. */
export interface Write {
  readonly asked: Asked;
  readonly resource: Resource;
  readonly key: Key;
  readonly writer: Writer;
}

/**
 * Server-side apply, forced, of the object or (by the writer's subresource) of its status. Answers the object as stored; where nothing
 * changes, nothing is written.
 * @throws ClusterError 404 (status of an absent object), 409 (uid, resourceVersion), 413, 422
 */
export function applyWrite(world: World, write: Write, given: JsonObject): KubeObject {
  const { resource, key, writer, asked } = write;
  const live = world.store.get(resource, storeKey(key));
  const metadata = metadataOf(given);
  if (live === undefined && writer.subresource === "status") throw notFound(asked);
  checkVersion(write, live, metadata);
  const applied = appliedPart(write, given);
  const result = applyBody(managedOf(live), applied, { writer, shape: resource.shape });
  return commit(world, write, { live, result });
}

/**
 * Replaces the object by the one given (PUT after a JSON Patch); the status stays as it was where it is a subresource.
 * @throws ClusterError 409 (uid, resourceVersion), 413, 422
 */
export function updateWrite(
  world: World,
  write: Write,
  next: { live: Entry; object: JsonObject },
): KubeObject {
  const { live, object } = next;
  const metadata = metadataOf(object);
  checkVersion(write, live, metadata);
  checkIdentity(write, object);
  const before = asJson(live.object);
  const kept: JsonObject = write.resource.hasStatus
    ? { ...omit(object, "status"), ...pick(before, "status") }
    : object;
  const result = updateBody(managedOf(live), bodyOf(kept), {
    writer: write.writer,
    shape: write.resource.shape,
  });
  return commit(world, write, { live, result });
}

/** Removes the object, or marks it as being deleted where finalizers hold it. */
export function removeWrite(world: World, live: Entry): void {
  const { metadata } = live.object;
  if ((metadata.finalizers ?? []).length === 0) {
    drop(world, live);
    return;
  }
  if (metadata.deletionTimestamp !== undefined) return;
  const marked = {
    ...live.object,
    metadata: {
      ...metadata,
      deletionTimestamp: timestamp(world.now()),
      deletionGracePeriodSeconds: 0,
      resourceVersion: world.store.nextVersion(),
      ...(metadata.generation === undefined ? {} : { generation: metadata.generation + 1 }),
    },
  };
  world.store.put({ ...live, object: freezeJson(marked) });
}

function commit(
  world: World,
  write: Write,
  next: { live: Entry | undefined; result: Managed },
): KubeObject {
  const { resource, asked } = write;
  const { live, result } = next;
  const old = live === undefined ? undefined : asJson(live.object);
  const merged = throughTypes(resource, whole(write, live, result.body));
  const unknown = resource.unknown(merged);
  // A patch that is no apply asks for no strictness: what is unknown is dropped.
  if (unknown.length > 0 && write.writer.operation === "Apply")
    throw badRequest(
      asked,
      `strict decoding error: ${unknown.map((field) => `unknown field "${field}"`).join(", ")}`,
    );
  const completed = bodyOf(resource.complete(merged, old, write.writer.name));
  const unchanged = old !== undefined && sameJson(completed, bodyOf(old));
  const managers = ownersOf(result.managers, { body: completed, shape: resource.shape });
  if (live !== undefined && unchanged && sameManagers(live.managers, managers)) return live.object;
  const candidate = whole(write, live, completed);
  const causes = [
    ...metadataCauses(resource, candidate, { key: write.key, old }),
    ...resource.check(candidate, old),
  ];
  if (causes.length > 0) throw invalid(asked, causes);
  const object = stamped(world, { write, live, body: completed });
  checkSize(asked, object);
  return put(world, { resource, object, managers });
}

function put(world: World, entry: Entry): KubeObject {
  const { deletionTimestamp, finalizers = [] } = entry.object.metadata;
  if (deletionTimestamp !== undefined && finalizers.length === 0) drop(world, entry);
  else world.store.put(entry);
  return entry.object;
}

function drop(world: World, entry: Entry): void {
  const metadata = { ...entry.object.metadata, resourceVersion: world.store.nextVersion() };
  world.store.drop({ ...entry, object: freezeJson({ ...entry.object, metadata }) });
}

function stamped(
  world: World,
  next: { write: Write; live: Entry | undefined; body: JsonObject },
): KubeObject {
  const { write, live, body } = next;
  const { resource } = write;
  const before = live?.object.metadata;
  const isSpecChange =
    live === undefined || !resource.isSameSpec(body, bodyOf(asJson(live.object)));
  const generation = (before?.generation ?? 0) + Number(isSpecChange);
  const metadata: Record<string, Json> = {
    ...(whole(write, live, body)["metadata"] as JsonObject),
    uid: before?.uid ?? world.uid(),
    resourceVersion: world.store.nextVersion(),
    ...(resource.hasGeneration ? { generation } : {}),
    creationTimestamp: before?.creationTimestamp ?? timestamp(world.now()),
  };
  return freezeJson(asObject({ ...whole(write, live, body), metadata }));
}

function throughTypes(resource: Resource, object: JsonObject): JsonObject {
  return resource.isTyped
    ? throughType(object)
    : { ...object, metadata: throughType(metadataOf(object)) };
}

/** The object of a body: what identifies it and what the server wrote before put back. */
function whole(write: Write, live: Entry | undefined, body: JsonObject): JsonObject {
  const { apiVersion, kind } = write.resource;
  const metadata = metadataOf(body);
  const server = live === undefined ? {} : pick(asJson(live.object)["metadata"], ...serverSide);
  return {
    apiVersion,
    kind,
    metadata: {
      name: write.key.name,
      namespace: write.key.namespace,
      ...server,
      ...metadata,
    },
    ...omit(body, "metadata"),
  };
}

function appliedPart(write: Write, given: JsonObject): JsonObject {
  const body = bodyOf(given);
  if (write.writer.subresource === "status") return pick(body, "status");
  return write.resource.hasStatus ? omit(body, "status") : body;
}

function managedOf(live: Entry | undefined): Managed {
  if (live === undefined) return { body: {}, managers: [] as readonly Manager[] };
  return { body: bodyOf(asJson(live.object)), managers: live.managers };
}

function checkVersion(write: Write, live: Entry | undefined, given: JsonObject): void {
  const { asked } = write;
  const { uid, resourceVersion } = given;
  if (live === undefined) {
    if (uid === undefined || uid === "") return;
    throw conflict(
      asked,
      `uid mismatch: the provided object specified uid ${JSON.stringify(uid)}, and no existing object was found`,
    );
  }
  if (
    typeof resourceVersion === "string" &&
    resourceVersion !== "" &&
    resourceVersion !== live.object.metadata.resourceVersion
  )
    throw conflict(
      asked,
      "the object has been modified; please apply your changes to the latest version and try again",
    );
  if (uid === undefined || uid === "" || uid === live.object.metadata.uid) return;
  const cause: Cause = {
    reason: "FieldValueInvalid",
    field: "metadata.uid",
    message: `Invalid value: ${JSON.stringify(uid)}: field is immutable`,
  };
  throw invalid(asked, [cause]);
}

function checkIdentity(write: Write, object: JsonObject): void {
  const { asked, key, resource } = write;
  const { name, namespace } = metadataOf(object);
  const isSame =
    name === key.name &&
    namespace === key.namespace &&
    object["apiVersion"] === resource.apiVersion &&
    object["kind"] === resource.kind;
  if (isSame) return;
  throw badRequest(
    asked,
    `the name of the object (${JSON.stringify(name)}) does not match the name on the URL (${key.name}), or its kind or namespace does not`,
  );
}

function checkSize(asked: Asked, object: KubeObject): void {
  if (mostBytes(asJson(object)) <= largestObject) return;
  if (new TextEncoder().encode(JSON.stringify(object)).length <= largestObject) return;
  const message = `Request entity too large: limit is ${largestObject} bytes`;
  throw refusal(asked, { code: 413, reason: "RequestEntityTooLarge", message });
}

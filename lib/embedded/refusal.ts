import { ClusterError, classify } from "../cluster/errors.ts";
import type { Cause, Resource } from "./resource.ts";

/** What a refused call asked for. */
export interface Asked {
  readonly verb: "get" | "list" | "apply" | "patch" | "delete";
  readonly resource: Pick<Resource, "groupResource" | "kind" | "apiVersion">;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}

/** Answers the error of a call as the API server's Status would say it. */
export function refusal(
  asked: Asked,
  status: {
    code: number;
    reason: string;
    message: string;
    /** `details.name`: what is absent, where something is. */
    absent?: string | undefined;
    causes?: readonly Cause[];
  },
): ClusterError {
  const { code, reason, message, absent, causes = [] } = status;
  const at = [asked.namespace, asked.name].filter((part) => part !== undefined).join("/");
  return new ClusterError({
    asked: `${asked.verb} ${asked.resource.groupResource}${at === "" ? "" : ` ${at}`}`,
    status: code,
    reason,
    detail: message,
    class: classify(code, {
      reason,
      message,
      details: { causes, ...(absent === undefined ? {} : { name: absent }) },
    }),
  });
}

/** 404: the server serves no such kind. */
export function notServed(asked: Asked): ClusterError {
  const message = "the server could not find the requested resource";
  return refusal(asked, { code: 404, reason: "NotFound", message });
}

/** 404: there is no such object. */
export function notFound(asked: Asked): ClusterError {
  const message = `${asked.resource.groupResource} "${asked.name}" not found`;
  return refusal(asked, { code: 404, reason: "NotFound", message, absent: asked.name });
}

/** 409 with Kubernetes' words around the given ones. */
export function conflict(asked: Asked, why: string): ClusterError {
  const message = `Operation cannot be fulfilled on ${asked.resource.groupResource} "${asked.name}": ${why}`;
  return refusal(asked, { code: 409, reason: "Conflict", message });
}

/** 422: the object breaks rules. */
export function invalid(asked: Asked, causes: readonly Cause[]): ClusterError {
  const group = asked.resource.apiVersion.includes("/")
    ? `.${asked.resource.apiVersion.split("/")[0]}`
    : "";
  const lines = causes.map((cause) => `${cause.field}: ${cause.message}`);
  const list = lines.length === 1 ? lines[0] : `[${lines.join(", ")}]`;
  const message = `${asked.resource.kind}${group} "${asked.name}" is invalid: ${list}`;
  return refusal(asked, { code: 422, reason: "Invalid", message, causes });
}

/** 400: the request itself is wrong. */
export function badRequest(asked: Asked, message: string): ClusterError {
  return refusal(asked, { code: 400, reason: "BadRequest", message });
}

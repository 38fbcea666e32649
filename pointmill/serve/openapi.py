# SPDX-License-Identifier: Apache-2.0
"""The description of the HTTP interface, as OpenAPI 3.1."""

from __future__ import annotations

from typing import Any

from .. import __version__
from ..rules import RULES, Reason
from .batch import ABORTED, CANCELLED, DEADLINE, PRIORITIES
from .operations import OPERATIONS, Operation

_HEX = {"type": "string", "pattern": "^([0-9a-fA-F]{2})*$"}
_NUMBER = {"type": "string", "pattern": "^[0-9a-fA-F]+$"}
_TAG = {"oneOf": [{"type": "string"}, {"type": "integer"}]}
_FIELDS: dict[str, dict[str, Any]] = {
    "verify": {"pk": _HEX, "msg": _HEX, "sig": _HEX},
    "x25519": {"k": _HEX, "u": _HEX},
    "ecdsa-verify": {"curve": {"type": "string"}, "digest": _HEX} | dict.fromkeys(("qx", "qy", "r", "s"), _NUMBER),
    "sm2-verify": {"curve": {"type": "string"}} | dict.fromkeys(("e", "qx", "qy", "r", "s"), _NUMBER),
    "ecdh": {"curve": {"type": "string"}} | dict.fromkeys(("d", "qx", "qy"), _NUMBER),
}
_TURNED_AWAY = {"400": "a header or the rule set is wrong", "401": "a token is asked for",
                "403": "secrets are not allowed", "413": "the request is too long",
                "429": "the queue is full, or the client over its rate; see Retry-After",
                "501": "no device has the core", "503": "the service is about to end"}


def _line(fields: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """JSON lines of such objects."""
    schema = {"type": "object", "properties": fields, "required": required}
    return {"application/x-ndjson": {"schema": schema}}


def _path(operation: Operation) -> dict[str, Any]:
    fields = _FIELDS[operation.name]
    reasons = [*(reason.name for reason in Reason), DEADLINE, CANCELLED, ABORTED]
    answer = {"tag": _TAG, "valid": {"type": "boolean"}, "cycles": {"type": "integer"},
              "reason": {"type": "string", **({"enum": list(dict.fromkeys(reasons))}
                                             if operation.name == "verify" else {})}}
    asked = fields | {"tag": _TAG} | ({"rule": {"enum": list(RULES)}} if operation.name == "verify" else {})
    parameters = [
        {"name": "Pointmill-Priority", "in": "header", "schema": {"enum": list(PRIORITIES)}},
        {"name": "Pointmill-Timeout-Ms", "in": "header", "schema": {"type": "integer"}}]
    if operation.name == "verify":
        parameters.append({"name": "rule", "in": "query", "schema": {"enum": list(RULES)}})
    return {"post": {
        "operationId": operation.name, "parameters": parameters,
        "requestBody": {"content": _line(asked, list(fields)), "required": True},
        "responses": {"200": {"description": "a line for each line, in the same order",
                              "content": _line(answer, ["tag"])},
                      **{status: {"description": text} for status, text in _TURNED_AWAY.items()}}}}


def document(secrets: bool) -> dict[str, Any]:
    """The document; with the operations on secrets only where they are served."""
    paths = {f"/v1/{name}": _path(operation) for name, operation in OPERATIONS.items()
             if secrets or not operation.secret}
    for path, text in (("/healthz", "the process works"), ("/readyz", "jobs are taken"),
                       ("/metrics", "for Prometheus"), ("/v1/status", "the state, as the page shows it")):
        paths[path] = {"get": {"responses": {"200": {"description": text}}}}
    return {"openapi": "3.1.0", "info": {"title": "Pointmill", "version": __version__}, "paths": paths}

"""The connection to a server: JSON over HTTP, with only the standard library."""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any, Dict, List, Optional
from urllib.parse import quote, urlencode

if TYPE_CHECKING:
    from .project import Project


# How often to send a request that an overloaded server refuses, and the maximum wait between attempts in seconds.
_ATTEMPTS = 5
_LONGEST_WAIT = 30.0


class AssayError(Exception):
    """The server refused the request or failed, or did not answer (status 0)."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class AssayWarning(UserWarning):
    """A warning in a response, for example that no row has a field that a condition names."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: it would send the key to another host, and turn a POST into a GET."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


class Assay:
    """A server. Its address and key default to ASSAY_URL and ASSAY_API_KEY."""

    def __init__(
        self, url: Optional[str] = None, *, api_key: Optional[str] = None, timeout: float = 60.0
    ) -> None:
        self.url = (url or os.environ.get("ASSAY_URL") or "http://127.0.0.1:7777").rstrip("/")
        self._api_key = api_key or os.environ.get("ASSAY_API_KEY")
        self._timeout = timeout

    def project(self, name: str) -> "Project":
        """The project `entity/project`, which need not exist yet."""
        from .project import Project

        entity, slash, project = name.partition("/")
        if not (entity and slash and project) or "/" in project:
            raise ValueError(f"{name!r} is not a project; write ENTITY/PROJECT, such as 'acme/demo'")
        return Project(self, name)

    def projects(self) -> List[Dict[str, Any]]:
        """The projects that the key can read, each with its number of evaluations."""
        found: List[Dict[str, Any]] = []
        after: Optional[str] = None
        while True:
            page = self.request("projects" + (f"?{urlencode({'after': after})}" if after else ""))
            found += page["projects"]
            after = page["next"]
            if after is None:
                return found

    def request(self, path: str, body: Optional[bytes] = None, *, kind: str = "application/json") -> Any:
        """Sends a request to a path below /v2/, a POST if it has a body, and returns the response."""
        headers = {"Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = kind
        if self._api_key:
            headers["Authorization"] = f"Bearer {self._api_key}"
        request = urllib.request.Request(f"{self.url}/v2/{path}", data=body, headers=headers)
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                with _opener.open(request, timeout=self._timeout) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if error.code not in (429, 503) or attempt == _ATTEMPTS:
                    raise AssayError(error.code, _detail(error)) from None
                time.sleep(_wait_after(error, attempt))
            except (OSError, http.client.HTTPException) as error:
                reason = getattr(error, "reason", None) or error
                raise AssayError(0, f"the server at {self.url} does not answer: {reason}") from None
        raise AssertionError("the last attempt returns or raises")


def path_of(project: str, rest: str) -> str:
    """A path within a project. Refuses `.` and `..`, which servers and proxies resolve as relative path segments."""
    if any(part in ("", ".", "..") for part in project.split("/")):
        raise ValueError(f"{project!r} is not a project: write entity/project, such as acme/demo")
    return "/".join(quote(part, safe="") for part in project.split("/")) + f"/{rest}"


def _wait_after(error: urllib.error.HTTPError, attempt: int) -> float:
    """Seconds to wait: the server's Retry-After, or exponential backoff."""
    asked = error.headers.get("Retry-After", "")
    return min(float(asked) if asked.isdigit() else 0.5 * 2.0**attempt, _LONGEST_WAIT)


def _detail(error: urllib.error.HTTPError) -> str:
    target = error.headers.get("Location")
    if 300 <= error.code < 400 and target:
        return f"the server redirects to {target}: connect to that server instead"
    try:
        detail = json.load(error)["detail"]
    except (ValueError, KeyError, TypeError):
        return f"the server responded with status {error.code}"
    if isinstance(detail, str):
        return detail
    return "; ".join(f"{'.'.join(map(str, issue['loc'][1:]))}: {issue['msg']}" for issue in detail)

# Prints the fields of every request body of the weave package as {path: [field]} in JSON, read from the types in the
# installed package's sources. python-client.interop.ts runs it.
import ast
import json
import pathlib
import re

import weave.vendor.weave_server_sdk as sdk

FOLDER = pathlib.Path(sdk.__file__).parent
POST = re.compile(r'self\._post\(\s*(?:path_template\(\s*)?f?"([^"]+)"(.{0,2500}?)(?=\n    (?:async )?def |\Z)', re.S)
# Their contents are the query language, or the user's JSON.
FREE = {"query", "summary", "usage"}


def classes_of(module: str) -> tuple[dict[str, ast.ClassDef], dict[str, ast.expr]]:
    tree = ast.parse((FOLDER / "types" / f"{module}.py").read_text())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    aliases = {
        node.target.id: node.value
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None
    }
    return classes, aliases


def fields_of(name: str, classes: dict, aliases: dict, before: str = "") -> set[str]:
    found = set()
    for node in classes[name].body:
        if not isinstance(node, ast.AnnAssign):
            continue
        field = before + node.target.id
        found.add(field)
        if node.target.id in FREE:
            continue
        named = {one.id for one in ast.walk(node.annotation) if isinstance(one, ast.Name)}
        for alias in named & aliases.keys():
            named |= {one.id for one in ast.walk(aliases[alias]) if isinstance(one, ast.Name)}
        for inside in named & classes.keys():
            found |= fields_of(inside, classes, aliases, f"{field}.")
    return found


routes: dict[str, list[str]] = {}
for file in sorted((FOLDER / "resources").rglob("*.py")):
    for path, call in POST.findall(file.read_text()):
        params = re.search(r"(\w+_params)\.(\w+Params)", call)
        if params is None or not (FOLDER / "types" / f"{params[1]}.py").exists():
            continue
        of_path = set(re.findall(r"\{(\w+)\}", path)) | {"accept"}
        routes[path] = sorted(fields_of(params[2], *classes_of(params[1])) - of_path)
print("RESULT " + json.dumps(routes))

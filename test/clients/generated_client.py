"""Queries a server with the client from openapi-generator. Arguments: the client's folder and the server's address."""

import importlib
import json
import pkgutil
import sys

folder, url = sys.argv[1:]
sys.path.insert(0, folder)
import assay_generated  # noqa: E402
from assay_generated.models import EvalResultsCompareBody, EvalResultsQueryBody  # noqa: E402

for module in pkgutil.walk_packages(assay_generated.__path__, "assay_generated."):
    importlib.import_module(module.name)

with assay_generated.ApiClient(assay_generated.Configuration(host=url)) as client:
    api = assay_generated.DefaultApi(client)
    query = {"evaluation_call_ids": ["a", "b"], "limit": 2}
    rows = api.eval_results_query("acme", "demo", EvalResultsQueryBody.from_dict(query))
    body = EvalResultsCompareBody.from_dict({"query": query, "baseline": "a", "anytime": False})
    compared = api.eval_results_compare("acme", "demo", body)
    print(
        json.dumps(
            {
                "health": api.health().status,
                "projects": [one.project for one in api.list_projects().projects],
                "rows": [rows.total_rows, len(rows.rows)],
                "verdict": compared.to_dict()["comparisons"][0]["measures"][0]["verdict"],
            }
        )
    )

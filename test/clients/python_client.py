"""Queries a server with the client from openapi-python-client. Arguments: the client's folder and the server's address."""

import importlib
import json
import pkgutil
import sys

folder, url = sys.argv[1:]
sys.path.insert(0, folder)
import assay_client  # noqa: E402
from assay_client.api.default import eval_results_compare, eval_results_query, health, list_projects  # noqa: E402
from assay_client.models import EvalResultsCompareBody, EvalResultsQueryBody  # noqa: E402

for module in pkgutil.walk_packages(assay_client.__path__, "assay_client."):
    importlib.import_module(module.name)

client = assay_client.Client(base_url=url, raise_on_unexpected_status=True)
query = {"evaluation_call_ids": ["a", "b"], "limit": 2}
rows = eval_results_query.sync("acme", "demo", client=client, body=EvalResultsQueryBody.from_dict(query))
body = EvalResultsCompareBody.from_dict({"query": query, "baseline": "a", "anytime": False})
compared = eval_results_compare.sync("acme", "demo", client=client, body=body)
print(
    json.dumps(
        {
            "health": health.sync(client=client).status,
            "projects": [one.project for one in list_projects.sync(client=client).projects],
            "rows": [rows.total_rows, len(rows.rows)],
            "verdict": compared.to_dict()["comparisons"][0]["measures"][0]["verdict"],
        }
    )
)

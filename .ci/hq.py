"""`hq submit` of packaging/cluster/hyperqueue.sh on a HyperQueue inside this process, with two workers of a core each: the
package `hyperqueue` of PyPI has the server and the workers, but no program `hq`."""
import argparse
import sys

from hyperqueue import Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

options, command = sys.argv[2:], []
if "--" in options:
    at = options.index("--")
    options, command = options[:at], options[at + 1 :]
parser = argparse.ArgumentParser()
for name in ["array", "name", "stdout", "stderr"]:
    parser.add_argument("--" + name, required=True)
parser.add_argument("--crash-limit", type=int)
parser.add_argument("--wait", action="store_true", required=True)
asked = parser.parse_args(options)
if sys.argv[1] != "submit" or asked.stdout != "none" or not command:
    sys.exit("hq: only what hyperqueue.sh asks for is here")

first, last = map(int, asked.array.split("-"))
job = Job(max_fails=None, name=asked.name)
for task in range(first, last + 1):
    job.program(command, stdout=None, stderr=asked.stderr.replace("%{TASK_ID}", str(task)), crash_limit=asked.crash_limit)
with LocalCluster() as cluster:
    for _ in range(2):
        cluster.start_worker(WorkerConfig(cores=1))
    client = cluster.client()
    # It ends with 1 when a task has failed.
    sys.exit(not client.wait_for_jobs([client.submit(job)], raise_on_error=False))

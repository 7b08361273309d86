#!/usr/bin/env bash
# Plays a tournament in shards on HyperQueue and merges them.
#
#   packaging/cluster/hyperqueue.sh SHARDS FOLDER TOURNAMENT-ARGUMENTS...
#   packaging/cluster/hyperqueue.sh 64 results old.toml new.toml --games 100000 --seed 1
#
# `hq` (one static binary, https://it4innovations.github.io/hyperqueue/) must be in PATH, its server running, and
# workers connected: `hq server start`, `hq worker start`, or `hq alloc add slurm …` for workers that start and stop
# automatically. All workers must see FOLDER. BOT_RUNNER names the program if it is not in PATH; all workers must run
# the same one. A lost worker costs only time: its shards resume on another worker with the walls that they hold.
set -euo pipefail

[ $# -ge 3 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
shards=$1 folder=$2
shift 2
runner=${BOT_RUNNER:-bot-runner}
mkdir -p "$folder"
for argument in "$@"; do
    case $argument in
        --seed | --seed=*) seeded=yes ;;
        --out | --out=* | --shard | --shard=* | --jobs | --jobs=* | --merge)
            echo "$0: $argument is set by this script; leave it out" >&2
            exit 2 ;;
    esac
done
# Shards with different seeds are not parts of one tournament.
[ "${seeded-}" ] || { echo "$0: --seed is needed, so that all shards play the same tournament" >&2; exit 2; }

# A shard may be restarted while the old process of its killed worker still ends and holds the file: try again then.
task='shard=$1 folder=$2; shift 2
for try in 1 2 3 4 5; do
    "$@" --jobs 1 --shard "$HQ_TASK_ID/$shard" --out "$folder/part-$HQ_TASK_ID.json" && exit 0
    sleep 2
done
exit 1'
hq submit --array "0-$((shards - 1))" --name tournament --crash-limit 20 --wait \
    --stdout none --stderr "$folder/part-%{TASK_ID}.txt" \
    -- bash -c "$task" shard "$shards" "$folder" "$runner" tournament "$@" || {
    echo "$0: a shard failed: see $folder/part-*.txt; run the same command again to resume" >&2
    exit 1
}
"$runner" tournament --merge "$folder"/part-*.json --out "$folder/all.json"

#!/usr/bin/env bash
# A tournament as an array of Slurm jobs, a shard each:
#
#   id=$(sbatch --parsable --array=0-63 packaging/cluster/slurm.sh results old.toml new.toml --games 100000 --seed 1)
#   sbatch --dependency="afterok:$id" --wrap 'bot-runner tournament --merge results/part-*.json --out results/all.json'
#
# The first argument is a folder that all nodes see. BOT_RUNNER names the program if it is not in PATH. A job that is requeued
# or submitted again resumes with the walls that its part holds.
#SBATCH --job-name=tournament
#SBATCH --cpus-per-task=1
#SBATCH --mem=1G
#SBATCH --time=04:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
# SIGINT a minute before the time limit: the program then finishes the games in progress and ends.
#SBATCH --signal=B:INT@60
set -euo pipefail

: "${SLURM_ARRAY_TASK_ID:?submit it as an array: sbatch --array=0-63 $0 FOLDER TOURNAMENT-ARGUMENTS...}"
[ "${SLURM_ARRAY_TASK_MIN:-0}" = 0 ] || { echo "the array has to begin at 0: --array=0-63" >&2; exit 2; }
folder=$1
shift
mkdir -p "$folder"
shard="$SLURM_ARRAY_TASK_ID/${SLURM_ARRAY_TASK_COUNT:?}"
exec "${BOT_RUNNER:-bot-runner}" tournament "$@" --jobs 1 --shard "$shard" --out "$folder/part-$SLURM_ARRAY_TASK_ID.json"

#!/usr/bin/env bash
# The hook of .pre-commit-hooks.yaml: audits the files that pre-commit names behind the options of the hook. Empty files
# are left out: for the audit, an empty path is a build that has failed. --integrity=sha512-… is the hash of the package.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/fetched.sh"

arguments=()
paths=0
is_value=false
integrity=
for argument in "$@"; do
  if [[ $argument == --integrity=* ]]; then
    integrity=${argument#*=}
    continue
  fi
  if ! $is_value && [[ $argument != -* ]]; then
    [ -f "$argument" ] && [ ! -s "$argument" ] && continue
    paths=$((paths + 1))
  fi
  arguments+=("$argument")
  case $argument in
    --baseline | --config | --env | --file-seconds | --format | --like | --mint-host | --out | --report) is_value=true ;;
    *) is_value=false ;;
  esac
done
[ "$paths" -gt 0 ] || exit 0
# A version never changes: one that npm has in its cache needs no registry, so that a commit works without a network, too.
export npm_config_prefer_offline=true
fetched "$integrity" twotoken-audit@1.0.0 "${arguments[@]}"

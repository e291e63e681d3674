#!/usr/bin/env bash
# The main step of action.yml: runs the command, then writes annotations, the job summary, SARIF and outputs.
# The exit code is an output: the action exits with it after the uploads.
set -uo pipefail

source "$(dirname "${BASH_SOURCE[0]}")/fetched.sh"

twotoken() {
  if [ "$TWOTOKEN_VERSION" = local ]; then npx --no-install twotoken "$@"; else fetched "$TWOTOKEN_INTEGRITY" "twotoken@$TWOTOKEN_VERSION" "$@"; fi
}

# An audit needs the small package alone; a job that has installed twotoken itself has the same command in it.
audit() {
  if [ "$TWOTOKEN_VERSION" != local ]; then
    fetched "$TWOTOKEN_INTEGRITY" "twotoken-audit@$TWOTOKEN_VERSION" "$@"
  elif npx --no-install twotoken-audit --version >/dev/null 2>&1; then
    npx --no-install twotoken-audit "$@"
  else
    npx --no-install twotoken audit "$@"
  fi
}

arguments=()
while IFS= read -r line; do
  [ -n "$line" ] && arguments+=("$line")
done <<<"$TWOTOKEN_ARGUMENTS"
[ -n "$TWOTOKEN_CONFIG" ] && arguments+=(--config "$TWOTOKEN_CONFIG")

mkdir -p "$TWOTOKEN_OUT"
sarif="$TWOTOKEN_OUT/twotoken.sarif"
results="$TWOTOKEN_OUT/results.json"
rm -f "$sarif" "$results"
outcome=

if [ "$TWOTOKEN_COMMAND" = audit ]; then
  audit "${arguments[@]}" --format sarif --out "$sarif"
  code=$?
  case $code in
    0) outcome=conformant ;;
    1) outcome=nonconformant ;;
    3) outcome=incomplete ;;
    4) outcome=error ;;
  esac
else
  twotoken "$TWOTOKEN_COMMAND" "${arguments[@]}" --out "$TWOTOKEN_OUT"
  code=$?
  if [ -s "$results" ]; then
    twotoken report "$results" --format github
    twotoken report "$results" --format markdown >>"$GITHUB_STEP_SUMMARY"
    twotoken report "$results" --format sarif --out "$sarif"
    outcome=$(node -p 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8")).outcome' "$results")
  fi
fi

{
  echo "exit-code=$code"
  echo "outcome=$outcome"
  echo "results=$TWOTOKEN_OUT"
  if [ -s "$sarif" ]; then echo "sarif=$sarif"; fi
} >>"$GITHUB_OUTPUT"

#!/usr/bin/env bash
# Posts the comparison of two runs on the pull request: one comment, which later runs update.
set -euo pipefail

mark='<!-- twotoken: comparison of two runs -->'
body=$(printf '%s\n%s' "$mark" "$(cat "$COMPARISON")")
comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
ids=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$mark\")) | .id")
id=${ids%%$'\n'*}
if [ -n "$id" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --raw-field body="$body"
else
  gh api --silent --method POST "$comments" --raw-field body="$body"
fi

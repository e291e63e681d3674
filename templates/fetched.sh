# shellcheck shell=bash
# Sourced by the step of the action and by the hook: runs a package of npm. A .npmrc or a program of the checkout, which may
# be a stranger's pull request, cannot name what is fetched and run. With an integrity (the sha512 of a release, as npm writes
# it) nothing else is run than a package with that hash.
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT

# fetched INTEGRITY PACKAGE@VERSION ARGUMENT…
fetched() {
  local integrity=$1 package=$2 file found
  shift 2
  if [ -z "$integrity" ]; then
    npx --prefix "$empty" --yes "$package" "$@"
    return
  fi
  file=$(cd "$empty" && npm pack --silent "$package") || return 2
  found="sha512-$(node -e 'process.stdout.write(require("node:crypto").createHash("sha512").update(require("node:fs").readFileSync(process.argv[1])).digest("base64"))' "$empty/$file")"
  if [ "$found" != "$integrity" ]; then
    echo "$package has the integrity $found, expected $integrity: correct the version or the integrity" >&2
    return 2
  fi
  npx --prefix "$empty" --yes --package "$empty/$file" -- "${package%@*}" "$@"
}

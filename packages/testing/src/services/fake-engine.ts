import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A `docker` and a `devcontainer` on a PATH of their own, which record what they are asked and run commands here. Shell
 * scripts, since tests start many of them. Containers are folders; files by the name of a command make it fail or hang.
 */
export class FakeEngine {
  readonly bin: string;
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
    this.bin = path.join(base, "bin");
    for (const folder of [this.bin, this.#at("containers")]) mkdirSync(folder, { recursive: true });
    writeFileSync(this.#at("calls"), "");
    this.#program("devcontainer", DEVCONTAINER);
    this.#program("docker", DOCKER);
  }

  /** What was asked for so far, program and arguments. */
  calls(): string[][] {
    const records = readFileSync(this.#at("calls"), "utf8").split("\x1e\n").slice(0, -1);
    return records.map((record) => record.split("\x1f").slice(0, -1));
  }

  containers(): { readonly id: string; readonly running: boolean; readonly labels: readonly string[] }[] {
    return readdirSync(this.#at("containers"))
      .sort()
      .map((id) => ({
        id,
        running: existsSync(this.#at("containers", id, "running")),
        labels: readFileSync(this.#at("containers", id, "labels"), "utf8")
          .trimEnd()
          .split("\n"),
      }));
  }

  /** What `docker inspect` says of a container's settings. */
  inspects(settings: object): void {
    writeFileSync(this.#at("inspect.json"), JSON.stringify(settings));
  }

  /** Makes `program command` end with an error from now on, find a full disk, or hang; undefined makes it whole again. */
  breaks(
    program: "docker" | "devcontainer",
    command: string,
    how: "fails" | "hangs" | "full" | undefined,
  ): void {
    writeFileSync(this.#at(`${program}-${command}`), how ?? "");
  }

  #at(...names: string[]): string {
    return path.join(this.#base, ...names);
  }

  #program(name: string, body: string): void {
    const file = path.join(this.bin, name);
    writeFileSync(file, `#!/bin/sh\nBASE='${this.#base}'\nME=${name}\n${COMMON}${body}`);
    chmodSync(file, 0o755);
  }
}

const COMMON = `
{ printf '%s\\037' "$ME" "$@"; printf '\\036\\n'; } >> "$BASE/calls"
how=; [ -f "$BASE/$ME-$1" ] && how=$(cat "$BASE/$ME-$1")
[ "$how" = hangs ] && exec sleep 100000
containers="$BASE/containers"
`;

const DEVCONTAINER = `
folder=; labels=; last=
for word in "$@"; do
  [ "$word" = /bin/sh ] && break
  case "$last" in
    --workspace-folder) folder=$word ;;
    --id-label) labels="$labels$word
" ;;
  esac
  last=$word
done
if [ "$how" = fails ]; then
  printf '{"outcome":"error","message":"no daemon for %s"}\\n' "$folder"
  exit 1
fi
if [ "$how" = full ]; then
  echo '{"outcome":"error","message":"write /var/lib/docker: no space left on device"}'
  exit 1
fi
case "$1" in
  up)
    id=
    for one in "$containers"/*; do
      [ -f "$one/labels" ] && [ "$(cat "$one/labels")
" = "$labels" ] && id=\${one##*/}
    done
    if [ -z "$id" ]; then
      n=$(cat "$BASE/count" 2> /dev/null || echo 0); n=$((n + 1)); echo "$n" > "$BASE/count"
      id=c$n; mkdir "$containers/$id"; printf '%s' "$labels" > "$containers/$id/labels"
    fi
    : > "$containers/$id/running"
    printf '{"outcome":"success","containerId":"%s","remoteUser":"root"}\\n' "$id" ;;
  exec)
    variables=; last=
    while [ "$1" != /bin/sh ]; do
      [ "$last" = --remote-env ] && export "$1"
      last=$1; shift
    done
    cd "$folder" && exec env -u HOME "$@" ;;
  *) echo '{"outcome":"success"}' ;;
esac
`;

const DOCKER = `
[ "$how" = fails ] && { echo "Cannot connect to the Docker daemon" >&2; exit 1; }
case "$1" in
  ps)
    for one in "$containers"/*; do
      [ -f "$one/labels" ] || continue
      has=yes; last=
      for word in "$@"; do
        [ "$last" = --filter ] && { grep -qxF "\${word#label=}" "$one/labels" || has=; }
        last=$word
      done
      [ -n "$has" ] && echo "\${one##*/}"
    done
    exit 0 ;;
  stop | rm)
    for word in "$@"; do
      [ -d "$containers/$word" ] || continue
      if [ "$1" = rm ]; then rm -r "$containers/$word"; else rm -f "$containers/$word/running"; fi
    done ;;
  inspect)
    for word in "$@"; do id=$word; done
    [ -d "$containers/$id" ] || exit 1
    if [ "$2" = --format ]; then [ -f "$containers/$id/running" ] && echo true || echo false
    elif [ -f "$BASE/inspect.json" ]; then cat "$BASE/inspect.json"
    else echo '[{}]'; fi ;;
  exec)
    while [ "$1" != /bin/sh ]; do shift; done
    exec "$@" ;;
esac
`;

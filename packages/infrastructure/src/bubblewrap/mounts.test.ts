import { describe, expect, it } from "vitest";
import { type Mount, ordered } from "./mounts.ts";

const shown = (at: string, from = at): Mount => ({ kind: "read-only", at, from });
const copy = (at: string): Mount => ({ kind: "writable", at, from: "/copy" });
const empty = (at: string): Mount => ({ kind: "empty", at });
const places = (...mounts: Mount[]) => ordered(mounts).map(({ kind, at }) => `${kind} ${at}`);

describe("ordered", () => {
  it("makes outer mounts before inner ones", () => {
    expect(places(copy("/home/u/code/mine"), shown("/home/u/.nvm"), empty("/home/u"))).toEqual([
      "empty /home/u",
      "read-only /home/u/.nvm",
      "writable /home/u/code/mine",
    ]);
  });

  it("leaves out what an outer mount shows already, and no sibling with the same beginning", () => {
    expect(places(shown("/opt/node"), shown("/opt/node/bin"), shown("/opt/node-2"))).toEqual([
      "read-only /opt/node",
      "read-only /opt/node-2",
    ]);
  });

  it("shows again what an empty place in between would hide", () => {
    expect(places(shown("/opt"), empty("/opt/home"), shown("/opt/home/tools"))).toHaveLength(3);
  });

  it("hides a data directory where the system would show it, and makes none elsewhere", () => {
    const hidden: Mount = { kind: "hidden", at: "/usr/local/app/data" };
    expect(places(shown("/usr"), hidden)).toEqual(["read-only /usr", "hidden /usr/local/app/data"]);
    expect(places(shown("/usr"), hidden, copy("/usr/local/app/data/demo"))).toHaveLength(3);
    expect(places(shown("/lib"), hidden)).toEqual(["read-only /lib"]);
    expect(places(shown("/usr"), copy("/usr/local/app"), hidden)).toEqual([
      "read-only /usr",
      "writable /usr/local/app",
    ]);
  });

  it("puts nothing into the copy but what was asked for there by name", () => {
    const link: Mount = { kind: "link", at: "/home/u/bin", to: "/opt/bin" };
    expect(places(copy("/home"), empty("/home/u"), link, shown("/home/tools"))).toEqual([
      "writable /home",
      "read-only /home/tools",
    ]);
  });

  it("makes a link only where nothing is shown", () => {
    const link: Mount = { kind: "link", at: "/usr/lib/jvm/bin", to: "/opt/jvm/bin" };
    expect(places(shown("/usr"), link)).toEqual(["read-only /usr"]);
  });

  it("takes the later of two for one place", () => {
    expect(places(empty("/tmp"), copy("/tmp"))).toEqual(["writable /tmp"]);
  });
});

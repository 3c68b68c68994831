// Puts the database that promptfoo needs on this machine beside it, as the lock names it.
//
// npm counts it among the optional packages, and can leave out all of those or none.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";

const musl = process.platform === "linux" && !process.report.getReport().header.glibcVersionRuntime;
const kind = { linux: musl ? "-musl" : "-gnu", win32: "-msvc" }[process.platform] ?? "";
const name = `@libsql/${process.platform}-${process.arch}${kind}`;
const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).packages[`node_modules/${name}`];
if (!locked) throw new Error(`promptfoo has no database for this machine (${name})`);

const packed = execFileSync("npm", ["pack", "--silent", `${name}@${locked.version}`], { encoding: "utf8" });
const archive = packed.trim().split("\n").at(-1);
const hash = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
if (hash !== locked.integrity) throw new Error(`${name} is not what package-lock.json names`);
mkdirSync(`node_modules/${name}`, { recursive: true });
execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", `node_modules/${name}`]);

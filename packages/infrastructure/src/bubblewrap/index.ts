export { BubblewrapLauncher, type BubblewrapLauncherDeps } from "./bubblewrap-launcher.ts";

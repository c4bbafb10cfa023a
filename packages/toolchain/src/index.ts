export { type Equipment, equipSandbox } from './equip-sandbox.ts';
export { openToolchain, type PreparedTool, type Toolchain, toolsFolder } from './open-toolchain.ts';
export type { ToolName } from './tool-table.ts';

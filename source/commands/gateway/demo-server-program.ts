import {fileURLToPath} from 'node:url';

/** The demo tool server: beside this file once it is built, in its room in the source tree. */
export function demoServerProgram(): string {
	const program = import.meta.url.endsWith('.ts') ? '../../demo/demo-stdio-server.ts' : './demo-stdio-server.js';
	return fileURLToPath(new URL(program, import.meta.url));
}

import {fileURLToPath} from 'node:url';
import {setFlagsFromString} from 'node:v8';
import {defaultProfile, statePaths} from '../../config/read/state-paths.ts';
import {type CommandTargets} from '../../gateway/command-handlers/command-targets.ts';
import {type Gateway} from '../../gateway/gateway.ts';
import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {type Command, type ReadWhole} from '../../state/command.ts';

/** A gateway of this process, demo included. Its modules are loaded by `start`, so that a dashboard can be drawn first. */
export type GatewayProcess = {
	readonly eventBus: RuntimeContext['eventBus'];
	readonly start: () => Promise<void>;
	readonly stop: (reason: string) => Promise<void>;
	/** Undefined until `start` has resolved. */
	readonly gateway: () => Gateway | undefined;
};

type ProcessOptions = {readonly mode: 'normal' | 'demo'; readonly leave: CommandTargets['leave']};

/** The gateway behind a dashboard; the demo replaces one that has nothing configured. */
export type GatewaySupervisor = {
	readonly restart: (mode: 'normal' | 'demo') => void;
	readonly send: (command: Command, onEmpty: () => void) => void;
	readonly readWhole: ReadWhole;
	readonly stop: (reason: string) => Promise<void>;
};

/**
Lets the heap grow by half between two collections of all garbage. By itself V8 lets it grow to several times what is in use before it collects,
and hardly gives memory back (docs/performance.md, Memory). Not before the start is over, which would pay for collections.
*/
function keepHeapSmall(): void {
	setFlagsFromString('--heap-growing-percent=50');
}

/** Prepares a gateway; nothing runs before `start`. */
export function createGatewayProcess(runtime: RuntimeContext, options: ProcessOptions): GatewayProcess {
	let gateway: Gateway | undefined;
	let closeDemo: {readonly stopTraffic: () => Promise<void>; readonly close: () => Promise<void>} | undefined;

	const startDemo = async () => {
		const {prepareDemo} = await import('../../demo/prepare-demo.ts');
		const demo = await prepareDemo({
			clock: runtime.clock,
			stdioServer: {command: process.execPath, args: [demoServerProgram()]},
		});
		closeDemo = demo;
		return demo;
	};

	return {
		eventBus: runtime.eventBus,
		gateway: () => gateway,
		async start() {
			const {startGateway} = await import('../../gateway/gateway.ts');
			const demo = options.mode === 'demo' ? await startDemo() : undefined;
			const {runtimeDirectory} = runtime.environment;
			const paths = demo ? statePaths({root: demo.root, profile: defaultProfile, runtimeDirectory}) : runtime.paths;
			gateway = await startGateway({...runtime, paths}, options);
			keepHeapSmall();
			demo?.startTraffic({webhookUrl: gateway.webhookUrl(), callTool: gateway.callTool});
		},
		async stop(reason) {
			await closeDemo?.stopTraffic();
			await gateway?.stop(reason);
			await closeDemo?.close();
		},
	};
}

/** Prepares the supervisor; no gateway runs before `restart`. One that does not start is reported to `onFailure`. */
export function createGatewaySupervisor(
	runtime: RuntimeContext,
	options: {
		/** Whether the person at the dashboard may decide. A read-only dashboard is no console (docs/approvals.md, How approvals end). */
		readonly console: 'deciding' | 'read-only';
		readonly leave: CommandTargets['leave'];
		readonly onFailure: (error: unknown) => void;
	},
): GatewaySupervisor {
	let current: GatewayProcess | undefined;
	let moves: Promise<void> = Promise.resolve();
	const change = async (mode: 'normal' | 'demo') => {
		await current?.stop('the demo takes its place');
		current = createGatewayProcess(runtime, {mode, leave: options.leave});
		await current.start();
		if (options.console === 'deciding') {
			current.gateway()?.attachConsole();
		}
	};

	return {
		restart(mode) {
			moves = moves.then(() => change(mode)).catch(options.onFailure);
		},
		send(command, onEmpty) {
			const gateway = current?.gateway();
			if (gateway) {
				gateway.send(command);
			} else {
				onEmpty();
			}
		},
		readWhole: query => current?.gateway()?.readWhole(query),
		async stop(reason) {
			await moves;
			await current?.stop(reason);
		},
	};
}

/** The demo tool server: beside this file once it is built, in its own folder in the source tree. */
function demoServerProgram(): string {
	const program = import.meta.url.endsWith('.ts') ? '../../demo/demo-stdio-server.ts' : './demo-stdio-server.js';
	return fileURLToPath(new URL(program, import.meta.url));
}

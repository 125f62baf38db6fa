import {constants, type PerformanceEntry, PerformanceObserver} from 'node:perf_hooks';
import {fileURLToPath} from 'node:url';
import {getHeapStatistics, setFlagsFromString} from 'node:v8';
import {defaultProfile, statePaths} from '../../config/read/state-paths.ts';
import {type Gateway, type GatewayOptions} from '../../gateway/gateway.ts';
import {type RuntimeContext} from '../../gateway/profiles/profile-context.ts';
import {type StorageWorker} from '../../journal/sqlite/storage-thread.ts';
import {type GatewayClient} from '../../state/gateway-call.ts';
import {type Console} from '../../state/console.ts';
import {type ConsoleMode} from '../../state/console-state.ts';
import {createSubscriptions} from '../../state/subscriptions.ts';
import {Problem} from '../../util/problem.ts';
import {startToStop} from './draining.ts';
import {type DashboardGateway} from './reconnecting-console.ts';

/** A gateway of this process, demo included. Its modules are loaded by `start`, so that a dashboard can be drawn first. */
export type GatewayProcess = GatewayClient & {
	readonly start: () => Promise<void>;
	/** Resolves at once where no gateway has started. */
	readonly drain: Gateway['drain'];
	readonly stop: (reason: string) => Promise<void>;
	/** Undefined until `start` has resolved. */
	readonly gateway: () => Gateway | undefined;
};

/** The gateway behind a dashboard; the demo replaces one that has nothing configured. */
export type GatewaySupervisor = DashboardGateway & {
	readonly restart: (mode: 'normal' | 'demo') => void;
};

/** Heap in use after a full garbage collection: more with thousands of tools, less with webhooks of 1 MB. */
const smallHeapBytes = 44 * 1024 * 1024;
/** A start, or a first list of tools, takes fewer collections. */
const smallCollectionsBeforeDoubling = 8;

/**
Lets the heap grow by two fifths between two collections of all garbage, and to the double once little was in use after several of them: webhooks of
1 MB leave so much garbage that its collection took a third of their time. The first collection that leaves more returns to two fifths. By itself V8 lets it grow to several times what is in use before it collects, and hardly gives
memory back (docs/performance.md, Memory). Not before the start is over, which would pay for collections. The returned function ends the watching.
*/
function keepHeapSmall(): () => void {
	let smallInARow = 0;
	const observer = new PerformanceObserver(list => {
		if (list.getEntries().some(isFullCollection)) {
			smallInARow = getHeapStatistics().used_heap_size < smallHeapBytes ? smallInARow + 1 : 0;
			limitGrowth(smallInARow < smallCollectionsBeforeDoubling ? 40 : 100);
		}
	});
	limitGrowth(40);
	observer.observe({entryTypes: ['gc']});
	return () => observer.disconnect();
}

function limitGrowth(percent: 40 | 100): void {
	setFlagsFromString(`--heap-growing-percent=${percent}`);
}

function isFullCollection(entry: PerformanceEntry): boolean {
	const detail: unknown = 'detail' in entry ? entry.detail : undefined;
	return (
		typeof detail === 'object' &&
		detail !== null &&
		'kind' in detail &&
		detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR
	);
}

/** Prepares a gateway; nothing runs before `start`. */
export function createGatewayProcess(runtime: RuntimeContext, options: GatewayOptions): GatewayProcess {
	let gateway: Gateway | undefined;
	let endWatching = () => {};
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
		subscribe: runtime.eventBus.listen,
		async call(method, params, callOptions) {
			if (!gateway?.console) {
				throw new Problem('gateway_not_running');
			}

			return gateway.console.call(method, params, callOptions);
		},
		gateway: () => gateway,
		async start() {
			const storageThread = await startThread(runtime, options.mode);
			const {startGateway} = await import('../../gateway/gateway.ts');
			const demo = options.mode === 'demo' ? await startDemo() : undefined;
			const {runtimeDirectory} = runtime.environment;
			const paths = demo ? statePaths({root: demo.root, profile: defaultProfile, runtimeDirectory}) : runtime.paths;
			gateway = await startGateway({...runtime, paths}, {...options, storageThread});
			endWatching = keepHeapSmall();
			demo?.startTraffic({webhookUrl: gateway.webhookUrl(), callTool: gateway.callTool});
		},
		drain: async (reason, skip) => gateway?.drain(reason, skip),
		async stop(reason) {
			endWatching();
			await closeDemo?.stopTraffic();
			await gateway?.stop(reason);
			await closeDemo?.close();
		},
	};
}

/** Starts the thread that a journal in a file needs: its program is loaded while that of the gateway is. */
async function startThread({paths}: RuntimeContext, mode: GatewayOptions['mode']): Promise<StorageWorker | undefined> {
	const [{mayNameDatabase}, {startStorageThread}] = await Promise.all([
		import('../../gateway/journal/configured-journal.ts'),
		import('../../journal/sqlite/storage-thread.ts'),
	]);
	return mode === 'normal' && mayNameDatabase(paths) ? undefined : startStorageThread();
}

/** Prepares the supervisor; no gateway runs before `restart`. One that does not start is reported to `onFailure`. */
export function createGatewaySupervisor(
	runtime: RuntimeContext,
	options: {
		readonly mode: ConsoleMode;
		readonly onStopAsked: GatewayOptions['onStopAsked'];
		readonly emptyJournal?: GatewayOptions['emptyJournal'];
		readonly onFailure: (error: unknown) => void;
	},
): GatewaySupervisor {
	const {mode: consoleMode, emptyJournal, onStopAsked} = options;
	const {eventBus, paths} = runtime;
	const publish = eventBus.publishFor(paths.profile);
	const own = createSubscriptions();
	const publishTo = eventBus.publishTo(own.onEvent, paths.profile);
	let current: GatewayProcess | undefined;
	let console: Console | undefined;
	let moves: Promise<void> = Promise.resolve();
	const change = async (mode: 'normal' | 'demo') => {
		await current?.stop('the demo takes its place');
		console = undefined;
		current = createGatewayProcess(runtime, {mode, console: {mode: consoleMode}, emptyJournal, onStopAsked});
		await current.start();
		console = current.gateway()?.console;
		if (console) {
			publishTo({type: 'view.console', state: 'own', number: console.number, mode: consoleMode});
		}
	};

	return {
		restart(mode) {
			moves = moves.then(() => change(mode)).catch(options.onFailure);
		},
		async call(method, params, callOptions) {
			await moves;
			if (!console) {
				const message = 'No gateway is running in this window';
				publish({type: 'log', level: 'warning', area: 'commands', text: message});
				throw new Problem('gateway_not_running', {message});
			}

			return console.call(method, params, callOptions);
		},
		// Events for this console alone (`view.…`) are not on the bus.
		subscribe(onEvent) {
			const ends = [eventBus.listenToAll(onEvent), own.subscribe(onEvent)];
			return () => ends.forEach(end => end());
		},
		drain: async (reason, skip) => current?.drain(reason, skip),
		async leave(reason) {
			await startToStop(moves, runtime.clock);
			await current?.stop(reason);
		},
	};
}

/** The demo tool server: beside this file once it is built, in its own folder in the source tree. */
function demoServerProgram(): string {
	const program = import.meta.url.endsWith('.ts') ? '../../demo/demo-stdio-server.ts' : './demo-stdio-server.js';
	return fileURLToPath(new URL(program, import.meta.url));
}

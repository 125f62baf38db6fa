import {writeFileSync} from 'node:fs';
import {type StatePaths} from '../../source/config/read/state-paths.ts';
import {type Gateway, startGateway} from '../../source/gateway/gateway.ts';
import {type CallGateway} from '../../source/state/api.ts';
import {type CallEnd, type GatewayCall, withVersion} from '../../source/state/gateway-call.ts';
import {createCallMaker, createReadFull} from '../../source/state/make-calls.ts';
import {type EventBus} from '../../source/state/event-bus.ts';
import {type GatewayEvent} from '../../source/state/event.ts';
import {openLiveSnapshot} from '../../source/state/gathered-snapshot.ts';
import {type Snapshot} from '../../source/state/snapshot.ts';
import {type Clock} from '../../source/util/clock.ts';
import {Problem} from '../../source/util/problem.ts';
import {createTestRuntime} from './gateway-parts.ts';
import {onTestFinished} from './on-test-finished.ts';
import {temporaryDirectory} from './temporary-directory.ts';

/** A real gateway of this process on a directory of its own. */
export type RunningGateway = {
	readonly gateway: Gateway & {
		/** Opens a console for deciding; the returned function closes it. */
		readonly openDecidingConsole: () => () => void;
		/** Makes a call from a console, which is opened with the first one and has seen everything. */
		readonly send: (call: GatewayCall) => void;
	};
	readonly paths: StatePaths;
	readonly events: GatewayEvent[];
	/** The state that a console shows now. */
	readonly snapshot: () => Snapshot;
	/** Resolves with the first event, past or future, that the predicate takes. Rejects after ten seconds. */
	readonly eventWhere: (matches: (event: GatewayEvent) => boolean) => Promise<GatewayEvent>;
	readonly writeConfig: (yaml: string) => void;
};

/** The calls of a console, whose views reach `take` as events, and their ends. */
export function callsOf(
	call: CallGateway,
	take: (event: GatewayEvent) => void,
	eventBus: Pick<EventBus, 'publishTo'>,
	ownProfile = 'default',
) {
	const ends: CallEnd[] = [];
	const {make, abort} = createCallMaker({
		call,
		show: (view, profile = ownProfile) => eventBus.publishTo(take, profile)(view),
		ended: end => ends.push(end),
	});
	return {send: make, abort, ends, readFull: createReadFull(call)};
}

/** The environment of a gateway. */
export type GatewaySurroundings = {
	readonly variables?: Readonly<Record<string, string>>;
	/** Default: that of the machine. */
	readonly clock?: Clock;
	/** As after `--new-journal`. */
	readonly emptyJournal?: 'new-journal';
};

/** A test may end while its journal is away: what waits for it is then not written, and the stop says so. */
function unlessJournalAway(caught: unknown): void {
	if (!(caught instanceof Problem) || caught.code !== 'storage_unavailable') {
		throw caught;
	}
}

/** Starts a gateway on `config.yaml` with this text; it is stopped when the test ends. */
export async function runGateway(
	yaml: string,
	root = temporaryDirectory(),
	surroundings: GatewaySurroundings = {},
): Promise<RunningGateway> {
	const runtime = createTestRuntime(root, surroundings);
	const {paths, eventBus} = runtime;
	const events: GatewayEvent[] = [];
	eventBus.listen(event => events.push(event));
	const shown = openLiveSnapshot(eventBus);
	const writeConfig = (text: string) => writeFileSync(paths.config, text);
	writeConfig(yaml);
	const {emptyJournal} = surroundings;
	const gateway = await startGateway(runtime, {mode: 'normal', emptyJournal, onStopAsked: () => undefined});
	onTestFinished(() => gateway.stop('the test ended').catch(unlessJournalAway));
	const listeners = new Set<(event: GatewayEvent) => void>();
	const take = (event: GatewayEvent) => {
		events.push(event);
		listeners.forEach(listener => listener(event));
	};

	eventBus.listen(event => listeners.forEach(listener => listener(event)));
	const openConsole = () => gateway.openConsole({mode: 'deciding'});
	let send: ((call: GatewayCall) => void) | undefined;
	return {
		gateway: {
			...gateway,
			openDecidingConsole: () => openConsole().close,
			send(call) {
				send ??= callsOf(openConsole().call, take, eventBus).send;
				send(withVersion(call, shown.current()));
			},
		},
		paths,
		events,
		snapshot: shown.current,
		writeConfig,
		eventWhere: matches =>
			new Promise((resolve, reject) => {
				const past = events.find(matches);
				if (past) {
					resolve(past);
					return;
				}

				const timer = setTimeout(() => {
					end();
					reject(new Error(`No such event among: ${JSON.stringify(events.slice(-20), null, 1)}`));
				}, 10_000);
				const listener = (event: GatewayEvent) => {
					if (matches(event)) {
						clearTimeout(timer);
						end();
						resolve(event);
					}
				};
				const end = () => void listeners.delete(listener);
				listeners.add(listener);
			}),
	};
}

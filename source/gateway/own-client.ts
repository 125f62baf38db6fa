import {type CommandClient} from '../control/client.ts';
import {createInMemoryClient} from '../control/in-memory-client.ts';
import {type GatewayHandlers, methods} from '../control/methods.ts';
import {type OpenedPart} from '../control/method-description.ts';
import {type Journal} from '../journal/journal.ts';
import {type MethodName} from '../state/api.ts';
import {Problem} from '../util/problem.ts';
import {commandCaller as caller} from './api/handler-context.ts';
import {findDatabase, nodeName, openConfiguredJournal} from './journal/configured-journal.ts';
import {unreadableFault} from './journal/unreadable-rows.ts';
import {loadOpenProfile, type OpenProfile} from './documents/open-profile.ts';
import {loadProfile, type ProfileContext, type RuntimeContext} from './profiles/profile-context.ts';
import {type Wanted} from './services/wanted-servers.ts';

/** The API of this process, for one command that has found no gateway: a method that needs one is refused with `gateway_not_running`. */
export type OwnClient = CommandClient & {
	readonly close: () => Promise<void>;
};

type OwnOptions = {
	/** Lists have the rows of this profile alone; absent: those of all. */
	readonly profile?: string | undefined;
	readonly signal: AbortSignal;
	/** Takes texts for the person: servers that are waited for or missing, and rows of the journal that were left out. */
	readonly report: (text: string) => void;
};

/**
Opens the methods of a gateway in this process. Each call opens only the parts that the table of methods declares for it, and they stay open until
`close`: no socket, no webhook listener, and a lock for the hold alone.
*/
export function openOwnClient(runtime: RuntimeContext, options: OwnOptions): OwnClient {
	const parts = openParts(runtime, options);
	const client = createInMemoryClient({
		async handlersOf(method, params) {
			const {opens} = methods[method];
			const handlersOf = groups[method];
			if (!opens || !handlersOf) {
				throw new Problem('gateway_not_running');
			}

			return handlersOf(parts.of(opens), {...options, method, params});
		},
		signal: options.signal,
	});
	return {...client, close: parts.close};
}

/** The opened parts of a state directory. */
type Parts = {
	readonly files: () => Promise<ProfileContext>;
	/** With what the profile has stored beside its configuration. */
	readonly documents: () => Promise<OpenProfile>;
	readonly journal: () => Promise<Journal>;
	readonly tools: (wanted: Wanted) => Promise<Awaited<ReturnType<typeof loadTools>>>;
	/** Closed with the client, last one first. */
	readonly closing: (close: () => Promise<void> | void) => void;
};

/** Opens each part once. */
function openParts(runtime: RuntimeContext, options: OwnOptions) {
	const closes: Array<() => Promise<void> | void> = [];
	const files = once(async () => loadProfile(runtime));
	const documents = once(async () => loadOpenProfile(runtime));
	const journal = once(async () => {
		const opened = await openConfiguredJournal(await files());
		closes.push(async () => {
			const leftOut = unreadableFault(await opened.listUnreadableRows().catch(() => []));
			if (leftOut) {
				options.report(`${leftOut.message}. ${leftOut.remedy}`);
			}

			await opened.close();
		});
		return opened;
	});
	let tools: ReturnType<typeof loadTools> | undefined;
	return {
		of(opens: readonly OpenedPart[]): Parts {
			const declared = <Part>(part: OpenedPart, open: Part): Part => {
				if (!opens.includes(part)) {
					throw new Problem('internal', {detail: `${part} is not among the parts that the method declares`});
				}

				return open;
			};

			return {
				files: () => declared('files', files)(),
				documents: () => declared('files', documents)(),
				journal: () => declared('journal', journal)(),
				async tools(wanted) {
					declared('servers', undefined);
					if (!tools) {
						tools = loadTools(runtime, {...options, wanted});
						const {close} = await tools;
						closes.push(close);
					}

					return tools;
				},
				closing: close => closes.push(close),
			};
		},
		close: async () => {
			for (const close of closes.toReversed()) {
				await close();
			}
		},
	};
}

function once<Value>(open: () => Promise<Value>): () => Promise<Value> {
	let opened: Promise<Value> | undefined;
	return () => (opened ??= open());
}

/** Other commands start without it. */
async function loadTools(runtime: RuntimeContext, options: OwnOptions & {readonly wanted: Wanted}) {
	const [{openWantedTools}, {toolMethods}] = await Promise.all([import('./own-tools.ts'), import('./api/tools.ts')]);
	const {context, tools, close} = await openWantedTools(runtime, options);
	// There is no gateway that could connect them again.
	return {methods: toolMethods(context, tools, {caller, retry: 'test'}), close};
}

type Asked = OwnOptions & {readonly method: MethodName; readonly params: object};
type HandlersOfGroup = (parts: Parts, asked: Asked) => Promise<Partial<GatewayHandlers>> | Partial<GatewayHandlers>;

async function eventGroup(parts: Parts, {profile}: Asked): Promise<Partial<GatewayHandlers>> {
	const [{storedEvents}, {listFailedDeliveries}, {failedDeliveryToJson}] = await Promise.all([
		import('./pages/stored-events.ts'),
		import('./journal/failed-deliveries.ts'),
		import('../control/to-wire.ts'),
	]);
	const {paths, clock, redactor} = await parts.files();
	const journal = await parts.journal();
	const stored = storedEvents({journal, clock, redactor, profile});
	return {
		'events.list': stored.list,
		'events.show': ({id}) => stored.show(id),
		'deliveries.failed': async () => (await listFailedDeliveries(journal, paths.profile)).map(failedDeliveryToJson),
	};
}

/** As many uncertain calls as one line of the socket has room for. */
const maxUncertain = 500;

async function runGroup(parts: Parts, {profile}: Asked): Promise<Partial<GatewayHandlers>> {
	const [{storedRuns}, {uncertainToJson}] = await Promise.all([
		import('./api/runs.ts'),
		import('../control/run-wire.ts'),
	]);
	const {paths, clock, redactor} = await parts.files();
	const journal = await parts.journal();
	const stored = storedRuns({journal, clock, redactor, profile});
	return {
		'runs.list': stored.runs,
		'runs.show': ({id}) => stored.run(id),
		'calls.list': stored.calls,
		'calls.show': ({id}) => stored.call(id),
		async 'uncertain.list'() {
			const query = {profile: paths.profile, begunBefore: clock.now(), limit: maxUncertain};
			return (await journal.listUncertainCalls(query)).map(one => uncertainToJson(one, redactor, 'row'));
		},
	};
}

/** A rehearsal loads nothing that calls tools. */
async function pageGroup(parts: Parts): Promise<Partial<GatewayHandlers>> {
	const {recordedCalls} = await import('./stores/recorded-calls.ts');
	return {'calls.page': recordedCalls(await parts.files(), await parts.journal()).page};
}

async function ruleGroup(parts: Parts): Promise<Partial<GatewayHandlers>> {
	const [{ruleMethods}, {createProfileRules, createProfileStoredRules, createRuleStore}] = await Promise.all([
		import('./api/rules.ts'),
		import('./stores/rule-store.ts'),
	]);
	const context = await parts.documents();
	createRuleStore(context.documents).read();
	const stores = {rules: createProfileRules(context), storedRules: createProfileStoredRules(context)};
	const listUses = async () => (await parts.journal()).listRuleUses();
	const {list, add, revoke, test} = ruleMethods(stores, {caller, context, findTool: () => undefined, listUses});
	return {'rules.list': list, 'rules.add': add, 'rules.revoke': ({id}) => revoke(id), 'rules.test': test};
}

/**
The hold of the next start, and of every gateway on the same database. Nobody starts a gateway here meanwhile, which might have read the file before.
Rejects with `gateway_running` while one starts or stops.
*/
async function holdGroup(parts: Parts): Promise<Partial<GatewayHandlers>> {
	const [{openHold}, {releaseHold}, {acquireLock}] = await Promise.all([
		import('./stores/hold-store.ts'),
		import('./api/hold.ts'),
		import('../control/lock.ts'),
	]);
	const context = await parts.documents();
	const database = await findDatabase(context);
	const hold = openHold([context], () => (database ? nodeName(context.current().config) : undefined));
	const locked = async <Value>(work: () => Promise<Value> | Value): Promise<Value> => {
		const {release} = await acquireLock(context.paths.lock);
		try {
			return await work();
		} finally {
			await release();
		}
	};

	return {
		hold: ({reason = ''}, {note}) =>
			locked(() => {
				note({type: 'hold.stored', for: database ? 'every-gateway' : 'next-start'});
				return hold.hold({by: caller.name, reason});
			}),
		'hold.show': () => ({held: hold.current() ?? null, waiting: [], queued_runs: 0}),
		unhold: ({hash}) => locked(() => releaseHold(hash, {caller, context, hold})),
	};
}

async function cronGroup(parts: Parts): Promise<Partial<GatewayHandlers>> {
	const context = await parts.documents();
	const [{openCronService}, {cronMethods}] = await Promise.all([
		import('./services/cron-service.ts'),
		import('./api/cron.ts'),
	]);
	const cron = openCronService(context, {journal: await parts.journal(), wakeRuns: () => undefined});
	parts.closing(cron.close);
	return cronMethods(cron, caller);
}

async function toolGroup(parts: Parts, {method, params}: Asked): Promise<Partial<GatewayHandlers>> {
	const {methods: own} = await parts.tools(wantedBy(method, params));
	return {
		'mcp.list': own.list,
		'mcp.tools': own.tools,
		// Without a gateway no other process can answer.
		'mcp.call': (call, {signal, note}) => own.call(call, {signal, onWaiting: () => note({type: 'approval.waiting'})}),
	};
}

function wantedBy(method: MethodName, params: {readonly name?: unknown; readonly server?: unknown}): Wanted {
	if (method === 'mcp.call' && typeof params.name === 'string') {
		return {kind: 'tool', name: params.name};
	}

	return typeof params.server === 'string' ? {kind: 'server', name: params.server} : {kind: 'every-server'};
}

/** The methods that this process has without a gateway. */
const groups: Partial<Record<MethodName, HandlersOfGroup>> = {
	'events.list': eventGroup,
	'events.show': eventGroup,
	'deliveries.failed': eventGroup,
	'runs.list': runGroup,
	'runs.show': runGroup,
	'calls.list': runGroup,
	'calls.show': runGroup,
	'calls.page': pageGroup,
	'uncertain.list': runGroup,
	'rules.list': ruleGroup,
	'rules.test': ruleGroup,
	'rules.add': ruleGroup,
	'rules.revoke': ruleGroup,
	hold: holdGroup,
	'hold.show': holdGroup,
	unhold: holdGroup,
	'cron.list': cronGroup,
	'cron.create': cronGroup,
	'cron.edit': cronGroup,
	'cron.change': cronGroup,
	'mcp.list': toolGroup,
	'mcp.tools': toolGroup,
	'mcp.call': toolGroup,
};

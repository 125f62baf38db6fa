import {type CommandClient} from '../control/client.ts';
import {createInMemoryClient} from '../control/in-memory-client.ts';
import {type GatewayHandlers, methods} from '../control/methods.ts';
import {type MethodName} from '../state/api.ts';
import {Problem} from '../util/problem.ts';
import {commandCaller as caller} from './api/handler-context.ts';
import {findDatabase, nodeName} from './journal/configured-journal.ts';
import {openParts, type OwnOptions, type OwnParts} from './own-parts.ts';
import {type RuntimeContext} from './profiles/profile-context.ts';
import {type Wanted} from './services/wanted-servers.ts';

/** The API of this process, for one command that has found no gateway: a method that needs one is refused with `gateway_not_running`. */
export type OwnClient = CommandClient & {
	readonly close: () => Promise<void>;
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
			const [word = ''] = method.split('.');
			const handlersOf = groups[method] ?? groups[word];
			if (!opens || !handlersOf) {
				throw new Problem('gateway_not_running');
			}

			return handlersOf(parts.of(opens), {...options, method, params});
		},
		signal: options.signal,
	});
	return {...client, close: parts.close};
}

type Asked = OwnOptions & {readonly method: MethodName; readonly params: object};
type HandlersOfGroup = (parts: OwnParts, asked: Asked) => Promise<Partial<GatewayHandlers>> | Partial<GatewayHandlers>;

async function eventGroup(parts: OwnParts, {profile}: Asked): Promise<Partial<GatewayHandlers>> {
	const [{storedEvents}, {eventFiles}, {storedDeliveries}, {listFailedDeliveries}, {failedDeliveryToJson}] =
		await Promise.all([
			import('./pages/stored-events.ts'),
			import('./pages/event-files.ts'),
			import('./api/deliveries.ts'),
			import('./journal/failed-deliveries.ts'),
			import('../control/to-wire.ts'),
		]);
	const {paths, clock, redactor} = await parts.files();
	const journal = await parts.journal();
	const stored = storedEvents({journal, clock, redactor, profile});
	return {
		'events.list': stored.list,
		'events.show': ({id}) => stored.show(id),
		'events.file': eventFiles(journal),
		'deliveries.list': storedDeliveries({journal, redactor, first: paths.profile, profile}),
		'deliveries.failed': async () => (await listFailedDeliveries(journal, paths.profile)).map(failedDeliveryToJson),
	};
}

/** As many uncertain calls as one line of the socket has room for. */
const maxUncertain = 500;

async function runGroup(parts: OwnParts, {profile}: Asked): Promise<Partial<GatewayHandlers>> {
	const [{storedRuns}, {uncertainToJson}] = await Promise.all([
		import('./api/runs.ts'),
		import('../control/run-wire.ts'),
	]);
	const {paths, clock, redactor} = await parts.files();
	const journal = await parts.journal();
	return {
		...storedRuns({journal, clock, redactor, profile}),
		async 'uncertain.list'() {
			const query = {profile: paths.profile, begunBefore: clock.now(), limit: maxUncertain};
			return (await journal.listUncertainCalls(query)).map(one => uncertainToJson(one, redactor, 'row'));
		},
	};
}

/** A rehearsal loads nothing that calls tools. */
async function pageGroup(parts: OwnParts): Promise<Partial<GatewayHandlers>> {
	const {recordedCalls} = await import('./stores/recorded-calls.ts');
	return {'calls.page': recordedCalls(await parts.files(), await parts.journal()).page};
}

async function ruleGroup(parts: OwnParts): Promise<Partial<GatewayHandlers>> {
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

/** The hold of the next start, and of every gateway on the same database. Nobody starts a gateway here meanwhile, which might have read the file before. */
async function holdGroup(parts: OwnParts): Promise<Partial<GatewayHandlers>> {
	const [{openHold}, {releaseHold}] = await Promise.all([import('./stores/hold-store.ts'), import('./api/hold.ts')]);
	const context = await parts.documents();
	const database = await findDatabase(context);
	const hold = openHold([context], () => (database ? nodeName(context.current().config) : undefined));
	return {
		hold: ({reason = ''}, {note}) =>
			parts.locked(() => {
				note({type: 'hold.stored', for: database ? 'every-gateway' : 'next-start'});
				return hold.hold({by: caller.name, reason});
			}),
		'hold.show': () => ({held: hold.current() ?? null, waiting: [], queued_runs: 0}),
		unhold: ({hash}) => parts.locked(() => releaseHold(hash, {caller, context, hold})),
	};
}

async function cronGroup(parts: OwnParts): Promise<Partial<GatewayHandlers>> {
	const context = await parts.documents();
	const [{openCronService}, {cronMethods}] = await Promise.all([
		import('./services/cron-service.ts'),
		import('./api/cron.ts'),
	]);
	const cron = openCronService(context, {journal: await parts.journal(), wakeRuns: () => undefined});
	parts.closing(cron.close);
	return cronMethods(cron, caller);
}

async function toolGroup(parts: OwnParts, {method, params}: Asked): Promise<Partial<GatewayHandlers>> {
	const {methods: own, settled} = await parts.tools(wantedBy(method, params));
	await settled();
	return {
		'mcp.list': own.list,
		'mcp.tools': own.tools,
		// Without a gateway no other process can answer.
		'mcp.call': (call, {signal, note}) => own.call(call, {signal, onWaiting: () => note({type: 'approval.waiting'})}),
	};
}

/** A client is served while the servers connect. */
const serveGroup: HandlersOfGroup = async parts => ({'mcp.serve': (await parts.tools({kind: 'every-server'})).serve});

const loginGroup: HandlersOfGroup = parts => parts.logins();

function wantedBy(method: MethodName, params: {readonly name?: unknown; readonly server?: unknown}): Wanted {
	if (method === 'mcp.call' && typeof params.name === 'string') {
		return {kind: 'tool', name: params.name};
	}

	return typeof params.server === 'string' ? {kind: 'server', name: params.server} : {kind: 'every-server'};
}

/** The methods that this process has without a gateway, by the first word of their names, or by a whole name. */
const groups: Readonly<Partial<Record<string, HandlersOfGroup>>> = {
	events: eventGroup,
	deliveries: eventGroup,
	runs: runGroup,
	calls: runGroup,
	'calls.page': pageGroup,
	uncertain: runGroup,
	rules: ruleGroup,
	hold: holdGroup,
	unhold: holdGroup,
	cron: cronGroup,
	mcp: toolGroup,
	'mcp.serve': serveGroup,
	'mcp.logins': loginGroup,
	'mcp.login': loginGroup,
	'mcp.login.cancel': loginGroup,
	'mcp.login.finish': loginGroup,
	'mcp.logout': loginGroup,
};

import {shownId} from '../util/id-part.ts';
import {claimed, quoted, safeText, shownName} from '../util/safe-text.ts';

/** The origin of a tool call or a run. Shown on approval cards and kept in the journal. */
export type Origin =
	| {readonly kind: 'command-line'}
	| EndpointOrigin
	| {readonly kind: 'demo'; readonly client: string}
	| RunOrigin
	/** A call by hand; `by` is the console that asked: `console:N`. */
	| {readonly kind: 'dashboard'; readonly by?: string};

/** A client of the endpoint. `client` is the name that its program gives itself, a claim. */
type EndpointOrigin = {
	readonly kind: 'endpoint';
	readonly client: string;
	/** The name of its token, over HTTP (docs/endpoint.md, Clients). */
	readonly name?: string;
	/** The name after `--client`, over stdio: a claim, too. */
	readonly claim?: string;
	/** The task that the call is for since a person took long (docs/endpoint.md, Tasks). */
	readonly task?: string;
};

/** The client whose token is the one of the endpoint. */
export const defaultClient = 'default';

/** A run. Route and delivery are empty when no webhook started it; `job` is the name of its cron job. */
type RunOrigin = {
	readonly kind: 'run';
	readonly runId: string;
	readonly route: string;
	readonly deliveryId: string;
	readonly job?: string;
	/** The check that authenticated the sender of the event (docs/approvals.md, Answer from the dashboard). */
	readonly signature?: string;
};

/** The name of an endpoint client that gives itself none. */
export const unnamedClient = 'unnamed client';

/** The origin in a few words, with what a client or a sender chose in quotation marks and said to be claimed; a dashboard puts a separator of its own between them. */
export function originText(origin: Origin, between = ' · '): string {
	switch (origin.kind) {
		case 'command-line':
			return 'command line';
		case 'endpoint':
			return endpointText(origin, between);
		case 'demo':
			return origin.client;
		case 'run':
			return runText(origin, between);
		case 'dashboard':
			return origin.by === undefined ? 'dashboard' : `dashboard ${origin.by}`;
	}
}

function endpointText({client, name = defaultClient, claim = '', task}: EndpointOrigin, between: string): string {
	const known = name === defaultClient ? claimed('client', claim) : `client ${name}`;
	const program = client === unnamedClient ? '' : claimed(known === '' ? 'client' : 'program', client);
	const asTask = task === undefined ? '' : `task ${shownId(task)}`;
	return ['endpoint', known, program || (known === '' ? unnamedClient : ''), asTask].filter(Boolean).join(between);
}

/** The name of an event or a delivery: a claim of its sender; without a route nobody sent it, and Sluice named it. */
export function sentName(
	what: string,
	name: string,
	{route = ''}: {readonly route?: string | null | undefined},
): string {
	return route === '' || route === null ? [what, name].filter(Boolean).join(' ') : claimed(what, name);
}

/** The asker of a request: its gateway, if several share a journal, and the origin of the call or run. */
export function askedFromText(
	{node, origin}: {readonly node?: string; readonly origin: Origin},
	between = ' · ',
): string {
	const from = originText(origin, between);
	return node === undefined ? from : `node ${node}${between}${from}`;
}

/** True if a call was made by hand at this console; false for another one. */
export function isFromConsole(origin: Origin, consoleName: string | undefined): boolean {
	return origin.kind === 'dashboard' && (origin.by === undefined || origin.by === consoleName);
}

/** The delivery id of a run without a route is its own and says nothing; that of a sender comes last, so that a long one hides nothing. */
function runText({runId, job = '', route, signature = '', deliveryId}: RunOrigin, between: string): string {
	return [
		`run ${shownId(runId)}`,
		job && `job ${job}`,
		route && `route ${route}`,
		signature && `signature ${signature}`,
		route && claimed('delivery', deliveryId),
	]
		.filter(Boolean)
		.join(between);
}

/** An origin fit to be shown: names of clients and delivery ids are chosen outside. */
export function safeOrigin(origin: Origin): Origin {
	switch (origin.kind) {
		case 'endpoint': {
			const {client, name, claim, task} = origin;
			return {
				...origin,
				client: short(client),
				...(name !== undefined && {name: short(name)}),
				...(claim !== undefined && {claim: short(claim)}),
				...(task !== undefined && {task: short(task)}),
			};
		}

		case 'demo':
			return {...origin, client: short(origin.client)};
		case 'run':
			return {
				...origin,
				route: short(origin.route),
				deliveryId: short(origin.deliveryId),
				...(origin.job !== undefined && {job: short(origin.job)}),
				...(origin.signature !== undefined && {signature: short(origin.signature)}),
			};
		case 'command-line':
		case 'dashboard':
			return origin;
	}
}

function short(text: string): string {
	return safeText(text, {maximumCharacters: 200});
}

/** An origin of a JSON row, read back for a person; a kind that is not known here is a name of its own. */
export function originFromJson(json: {readonly kind: string; readonly [name: string]: unknown}): Origin {
	const text = (name: string) => (typeof json[name] === 'string' ? json[name] : undefined);
	const {kind} = json;
	switch (kind) {
		case 'run':
			return {
				kind,
				runId: text('run_id') ?? '',
				route: text('route') ?? '',
				deliveryId: text('delivery_id') ?? '',
				job: text('job'),
				signature: text('signature'),
			};
		case 'endpoint':
			return {kind, client: text('client') ?? '', name: text('name'), claim: text('claim'), task: text('task')};
		case 'dashboard':
			return {kind, by: text('by')};
		case 'command-line':
			return {kind};
		case 'demo':
			return {kind, client: text('client') ?? ''};
		default:
			return {kind: 'demo', client: kind};
	}
}

/** The kinds of askers. The name of a client without a token of its own is a claim. */
export const askerKinds = [
	'client',
	'claimed-client',
	'route',
	'job',
	'run',
	'dashboard',
	'command-line',
	'demo',
] as const;

/** The asker of a call in so few words that its requests can be counted: a client, a route, a job, or a person. */
export type Asker = {readonly kind: (typeof askerKinds)[number]; readonly name: string};

/** The asker of a call. Its name is not safe to show. */
export function askerOf(origin: Origin): Asker {
	switch (origin.kind) {
		case 'endpoint': {
			const {client, name = defaultClient, claim = ''} = origin;
			return name === defaultClient ? {kind: 'claimed-client', name: claim || client} : {kind: 'client', name};
		}

		case 'run': {
			const {route, job = ''} = origin;
			return job === '' ? {kind: route === '' ? 'run' : 'route', name: route} : {kind: 'job', name: job};
		}

		case 'demo':
			return {kind: 'demo', name: origin.client};
		case 'command-line':
		case 'dashboard':
			return {kind: origin.kind, name: ''};
	}
}

/** An asker fit to be shown. */
export function safeAsker({kind, name}: Asker): Asker {
	return {kind, name: short(name)};
}

/** The name of an asker, safe to show: `codex`; a claim is in quotation marks. */
export function askerText({kind, name}: Asker): string {
	switch (kind) {
		case 'claimed-client':
			return name === unnamedClient ? unnamedClient : quoted(name, {maximumCharacters: 60});
		case 'client':
		case 'route':
		case 'job':
		case 'demo':
			return shownName(name, {maximumCharacters: 60});
		case 'run':
			return 'run by hand';
		case 'dashboard':
			return 'dashboard';
		case 'command-line':
			return 'command line';
	}
}

/** The kind of an asker as a list has it. */
export const askerKindText: Readonly<Record<Asker['kind'], string>> = {
	client: 'client',
	'claimed-client': 'claimed',
	route: 'route',
	job: 'job',
	run: 'run',
	dashboard: 'person',
	'command-line': 'person',
	demo: 'demo',
};

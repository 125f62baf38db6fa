import {createHmac} from 'node:crypto';
import {fileDocuments} from '../../source/config/values/document-files.ts';
import {createSubscriptionStore} from '../../source/config/webhooks/subscriptions.ts';
import {Readable} from 'node:stream';
import {type RouteConfig} from '../../source/config/webhooks/route-entry.ts';
import {type Deliver} from '../../source/delivery/deliver.ts';
import {createCoalescer} from '../../source/webhooks/coalesce/coalescer.ts';
import {createListFiles} from '../../source/webhooks/filters/list-file.ts';
import {type AdapterOptions, wireRequestHandler} from '../../source/webhooks/webhook-adapter.ts';
import {type BodyLimits} from '../../source/webhooks/http/body-budget.ts';
import {type Reply} from '../../source/webhooks/http/outcome.ts';
import {readRequestPath} from '../../source/webhooks/http/incoming-request.ts';
import {type PrepareOptions} from '../../source/webhooks/routes/prepared-route.ts';
import {buildRouteTable} from '../../source/webhooks/routes/route-table.ts';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {recordEvents} from '../helpers/record-events.ts';
import {createMemoryJournal} from './memory-journal.ts';
import {webhookConfig} from './webhook-config.ts';

/** One request as a test writes it. */
export type TestRequest = {
	readonly method?: string;
	readonly url?: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array | Readable;
	/** Adds the generic legacy signature with this secret. */
	readonly sign?: string;
};

export type HandlerOptions = {
	readonly routes?: ReadonlyArray<Partial<RouteConfig> & {readonly name: string}>;
	readonly rateLimit?: number;
	readonly maxBodyBytes?: number;
	readonly profile?: string;
	readonly deliver?: Deliver;
	readonly queueLimit?: number;
	readonly directory?: string;
	readonly unverifiedBodies?: number;
	readonly unverifiedBytes?: Omit<BodyLimits, 'bodiesPerRoute'>;
	readonly unready?: AdapterOptions['unready'];
	readonly keySets?: PrepareOptions['keySets'];
	readonly offerConfirmation?: AdapterOptions['offerConfirmation'];
	/** Default: a new one. */
	readonly clock?: FakeClock;
	/** Folder of scripts. */
	readonly scripts?: string;
	/** The environment that scripts inherit. */
	readonly environment?: Readonly<Record<string, string>>;
};

/** Everything of the adapter but its sockets: requests go in, answers, events and rows come out. */
export function openHandler(options: HandlerOptions = {}) {
	const {clock = createFakeClock()} = options;
	const recorded = recordEvents();
	const journal = createMemoryJournal(clock.now);
	const config = webhookConfig(options);
	const state = {stopping: false, wakes: 0};
	const givingUp = new AbortController();
	const {keySets} = options;
	const prepare = {expand: (text: string) => text, lists: createListFiles(options.directory ?? '/nowhere'), keySets};
	const table = buildRouteTable(config, [config.routes], prepare);
	const adapterOptions: AdapterOptions = {
		config,
		clock,
		publish: recorded.publish,
		journal,
		deliver: options.deliver ?? (async ({target}) => ({kind: 'delivered', target})),
		wakeRuns: () => void state.wakes++,
		queueLimit: () => options.queueLimit ?? 10_000,
		profile: options.profile ?? 'default',
		directory: '/nowhere',
		subscriptions: createSubscriptionStore(fileDocuments({profile: 'default', directory: '/nowhere'})),
		scripts: {
			directory: options.scripts ?? '/nowhere',
			python: () => 'python3',
			environment: options.environment ?? {},
			guard: () => () => () => {},
		},
		expand: prepare.expand,
		...(options.offerConfirmation && {offerConfirmation: options.offerConfirmation}),
	};
	const coalescer = createCoalescer({...adapterOptions, isShared: () => false});
	const requestHandler = wireRequestHandler(adapterOptions, {
		limits: {
			bodyMilliseconds: 30_000,
			unverifiedBodies: options.unverifiedBodies ?? 64,
			...(options.unverifiedBytes && {unverifiedBytes: options.unverifiedBytes}),
		},
		table: () => table,
		areRoutesRead: () => true,
		coalesced: coalescer.arrived,
		isStopping: () => state.stopping,
		unready: options.unready ?? (async () => []),
		signal: givingUp.signal,
	});
	const post = (request: TestRequest = {}): Promise<Reply> => {
		const bytes = request.body instanceof Readable ? undefined : Buffer.from(request.body ?? '{}');
		const headers = new Map(
			Object.entries({
				...(bytes ? {'content-length': String(bytes.length)} : {}),
				...(request.sign === undefined ? {} : legacySignature(request.sign, bytes ?? Buffer.alloc(0))),
				...request.headers,
			}).map(([name, value]) => [name.toLowerCase(), value]),
		);
		return requestHandler.answer({
			method: request.method ?? 'POST',
			path: readRequestPath(request.url ?? '/webhooks/open'),
			target: request.url ?? '/webhooks/open',
			headers,
			body: request.body instanceof Readable ? request.body : Readable.from(bytes && bytes.length > 0 ? [bytes] : []),
			invite() {},
		});
	};

	return {clock, journal, coalescer, post, state, givingUp, table, ...recorded};
}

export const secret = 'a secret of a test';

/** The header of the legacy scheme: the shortest way to a valid signature. */
export function legacySignature(key: string, body: string | Uint8Array): Record<string, string> {
	return {'x-webhook-signature': createHmac('sha256', key).update(body).digest('hex')};
}

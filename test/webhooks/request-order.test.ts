import {Readable} from 'node:stream';
import {describe, expect, test} from 'vitest';
import {legacySignature, openHandler, secret} from './open-handler.ts';

/** A request without a fault, and everything about it that a fault may change. */
const faultless = {
	stopping: false,
	url: '/webhooks/r',
	method: 'POST',
	headers: {'x-github-event': 'push', 'x-pass': 'yes', 'x-request-id': 'one'} as Record<string, string>,
	text: '{}',
	isStreamed: false,
	signature: 'valid' as 'valid' | 'wrong' | 'none',
	isCrowded: false,
	enabled: true,
	rateLimit: 30,
	script: undefined as string | undefined,
	isKnownDelivery: false,
	queueLimit: 10,
};

type Scenario = typeof faultless;
type Step = {
	readonly fault: string;
	readonly spoil: (scenario: Scenario) => Partial<Scenario>;
	readonly status: number;
	readonly body: Readonly<Record<string, unknown>>;
	readonly headers?: Readonly<Record<string, string>>;
};

/** The order of docs/webhooks.md, Order of checks. */
const steps: readonly Step[] = [
	{
		fault: 'stopping',
		spoil: () => ({stopping: true}),
		status: 503,
		body: {error: 'Shutting down'},
		headers: {'retry-after': '10', connection: 'close'},
	},
	{
		fault: 'unknown route',
		spoil: () => ({url: '/webhooks/nobody'}),
		status: 404,
		body: {error: 'Unknown route: nobody'},
	},
	{
		fault: 'wrong method',
		spoil: () => ({method: 'PUT'}),
		status: 405,
		body: {error: 'Method not allowed'},
		headers: {allow: 'POST'},
	},
	{
		fault: 'declared too large',
		spoil: ({headers}) => ({headers: {...headers, 'content-length': '5000'}}),
		status: 413,
		body: {error: 'Payload too large'},
		headers: {connection: 'close'},
	},
	{
		fault: 'no signature header',
		spoil: () => ({signature: 'none'}),
		status: 401,
		body: {error: 'Invalid signature'},
	},
	{
		fault: 'really too large',
		spoil: ({text}) => ({text: text.padEnd(2000), isStreamed: true}),
		status: 413,
		body: {error: 'Payload too large'},
		headers: {connection: 'close'},
	},
	{
		fault: 'wrong signature',
		spoil: ({signature}) => ({signature: signature === 'none' ? 'none' : 'wrong'}),
		status: 401,
		body: {error: 'Invalid signature'},
	},
	{
		fault: 'paused',
		spoil: () => ({enabled: false}),
		status: 503,
		body: {error: 'Route paused'},
		headers: {'retry-after': '60'},
	},
	{
		fault: 'rate limit',
		spoil: () => ({rateLimit: 0}),
		status: 429,
		body: {error: 'Rate limit exceeded'},
		headers: {'retry-after': '60'},
	},
	{
		fault: 'malformed body',
		spoil: ({text}) => ({text: text.replace('{}', '{ ')}),
		status: 400,
		body: {error: 'Malformed body'},
	},
	{
		fault: 'event not listed',
		spoil: ({headers}) => ({headers: {...headers, 'x-github-event': 'star'}}),
		status: 200,
		body: {status: 'ignored', reason: 'event', event: 'star'},
	},
	{
		fault: 'filtered',
		spoil: ({headers}) => ({headers: {...headers, 'x-pass': 'no'}}),
		status: 200,
		body: {status: 'ignored', reason: 'filter', route: 'r'},
	},
	{
		fault: 'refused by its script',
		spoil: () => ({script: 'missing.sh'}),
		status: 200,
		body: {status: 'ignored', reason: 'script', route: 'r'},
	},
	{
		fault: 'seen before',
		spoil: () => ({isKnownDelivery: true}),
		status: 200,
		body: {status: 'duplicate', delivery_id: 'one'},
	},
	{
		fault: 'queue full',
		spoil: () => ({queueLimit: 0}),
		status: 503,
		body: {error: 'Queue full'},
		headers: {'retry-after': '30'},
	},
];

async function play(scenario: Scenario) {
	const handler = openHandler({
		routes: [
			{
				name: 'r',
				secrets: [secret],
				events: ['push'],
				filters: [{kind: 'equals', field: 'headers.X-Pass', value: 'yes'}],
				script: scenario.script,
				enabled: scenario.enabled,
			},
		],
		maxBodyBytes: 1000,
		rateLimit: scenario.rateLimit,
		queueLimit: scenario.queueLimit,
		unverifiedBodies: 1,
	});
	if (scenario.isCrowded) {
		const stalled = new Readable({read() {}});
		void handler.post({url: '/webhooks/r', headers: {'x-webhook-signature': '00'}, body: stalled});
	}

	if (scenario.isKnownDelivery) {
		handler.journal.claimed.set('r one', Number.POSITIVE_INFINITY);
	}

	handler.state.stopping = scenario.stopping;
	const bytes = Buffer.from(scenario.text);
	const signature =
		scenario.signature === 'none' ? {} : legacySignature(scenario.signature === 'valid' ? secret : 'other', bytes);
	return handler.post({
		method: scenario.method,
		url: scenario.url,
		headers: {...signature, ...scenario.headers},
		body: scenario.isStreamed ? Readable.from([bytes]) : bytes,
	});
}

const pairs = steps.flatMap((earlier, index) => steps.slice(index + 1).map(later => ({earlier, later})));

describe('the order of checks', () => {
	test('a request without a fault is accepted', async () => {
		expect(await play(faultless)).toMatchObject({
			status: 202,
			body: {status: 'accepted', route: 'r', event: 'push', delivery_id: 'one'},
		});
	});

	test.each([{fault: 'nothing', spoil: () => ({}), status: 202}, ...steps])(
		'bodies that stall change nothing for a request that is wrong by "$fault"',
		async ({spoil, status}) => {
			expect((await play({...faultless, ...spoil(faultless), isCrowded: true})).status).toBe(status);
		},
	);

	test.each(steps)('a request that is wrong by "$fault" is answered $status', async candidate => {
		const {status, body, headers} = await play({...faultless, ...candidate.spoil(faultless)});
		expect({status, body, headers}).toEqual({
			status: candidate.status,
			body: candidate.body,
			headers: candidate.headers ?? {},
		});
	});

	test.each(pairs)('"$earlier.fault" comes before "$later.fault"', async ({earlier, later}) => {
		const once = {...faultless, ...later.spoil(faultless)};
		const {status, body} = await play({...once, ...earlier.spoil(once)});
		expect({status, body}).toEqual({status: earlier.status, body: earlier.body});
	});
});

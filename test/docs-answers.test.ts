import {describe, expect, test} from 'vitest';
import {type Outcome, replyTo} from '../source/webhooks/http/outcome.ts';
import {type Page, readPages} from './helpers/documentation.ts';

const pages = readPages();
const pageAt = (path: string): Page => pages.find(page => page.path === path) ?? expect.fail(`there is no ${path}`);

describe('the answers to senders', () => {
	const names = {route: 'r', event: 'e', deliveryId: 'd', cronJob: 'c', target: 't', name: '<name>'};
	const outcomes: {readonly [Kind in Exclude<Outcome['kind'], 'handshake' | 'answered'>]: object} = {
		health: {},
		ready: {},
		'not-ready': {reasons: ['draining']},
		accepted: names,
		'job-asked': names,
		coalesced: names,
		duplicate: names,
		'event-ignored': names,
		filtered: names,
		'script-ignored': names,
		delivered: names,
		'delivery-failed': names,
		'delivery-uncertain': names,
		'delivery-in-progress': {},
		'delivery-released': {},
		'same-delivery': {eventId: 'e', outcome: {kind: 'delivered', ...names}},
		'bad-request': {},
		'malformed-body': {},
		'challenge-refused': {reason: 'no value'},
		'invalid-signature': {},
		'unknown-route': names,
		'wrong-method': {allow: 'POST'},
		stalled: {},
		displaced: {reason: '64 bodies were being read'},
		'too-large': {},
		'not-understood': {},
		'keys-unavailable': {reason: 'the keys did not come'},
		'rate-limited': {retryAfterSeconds: 1},
		'headers-too-large': {},
		internal: {},
		paused: {},
		'queue-full': {},
		busy: {},
		'storage-unavailable': {},
		'job-unavailable': {reason: 'the journal cannot be used'},
		stopping: {},
	};

	test.each(Object.entries(outcomes))('has the answer for %s', (kind, rest) => {
		const {status, body, headers} = replyTo({kind, ...rest} as Outcome);
		const lines = ['docs/webhooks.md', 'docs/reverse-proxy.md'].flatMap(path => pageAt(path).text.split('\n'));
		const fixed = ['status', 'reason', 'error', 'platform'].filter(name => Object.hasOwn(body, name));
		const wanted = [
			`${status}`,
			...Object.keys(body).map(name => `"${name}"`),
			...fixed.map(name => `"${name}":${JSON.stringify(body[name])}`),
			...(headers['allow'] === undefined ? [] : [`Allow: ${headers['allow']}`]),
		];
		expect(lines.filter(line => wanted.every(part => line.includes(part)))).not.toEqual([]);
	});
});

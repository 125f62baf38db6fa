import {createHmac} from 'node:crypto';
import {once} from 'node:events';
import {type IncomingMessage, type OutgoingHttpHeaders, request} from 'node:http';
import {json} from 'node:stream/consumers';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {type RouteConfig} from '../../source/config/webhooks/route-entry.ts';
import {type PresetName, presetNames} from '../../source/config/webhooks/presets/preset-table.ts';
import {toSignatureScheme} from '../../source/config/webhooks/signature-scheme.ts';
import {systemClock} from '../../source/util/clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {secret} from './open-handler.ts';
import {openAdapter} from './open-adapter.ts';
import {googleKeys, providerOf, routeOf} from './provider-messages.ts';
import {webhookConfig} from './webhook-config.ts';

const body = '{"title":"one"}';
const seconds = () => String(Math.floor(systemClock.now() / 1000));
const hmac = (text: string, encoding: 'hex' | 'base64') => createHmac('sha256', secret).update(text).digest(encoding);

/** The headers of a message of the schemes that sign an id. */
const standard = (prefix: string, {id = 'msg_1', text = body, time = seconds()} = {}) => ({
	[`${prefix}-id`]: id,
	[`${prefix}-timestamp`]: time,
	[`${prefix}-signature`]: `v1,${hmac(`${id}.${time}.${text}`, 'base64')}`,
});

/** A route on real sockets over a real journal. Answers of `post` are the status of the response and the one in its body. */
async function openRoute(route: Partial<RouteConfig> = {}) {
	const journal = openTestJournal({path: join(temporaryDirectory(), 'journal.db'), clock: systemClock});
	const config = webhookConfig({routes: [{secrets: [secret], ...route, name: 'r'}]});
	const fetchText = async () => JSON.stringify(googleKeys);
	const {url} = await openAdapter({config, journal, fetchText});
	const post = async (headers: OutgoingHttpHeaders, {text = body, search = ''} = {}) => {
		const sent = request(`${url}/webhooks/r${search}`, {method: 'POST', headers});
		sent.end(text);
		const [response]: IncomingMessage[] = await once(sent, 'response');
		const answer = Object(response && (await json(response)));
		return `${response?.statusCode} ${answer.status ?? answer.error} ${answer.delivery_id ?? ''}`.trim();
	};

	const taken = async () => (await journal.listRuns({limit: 10})).map(({deliveryId}) => deliveryId);
	return {post, taken};
}

describe.each(['webhook', 'svix'])('a captured message of Standard Webhooks with %s headers', prefix => {
	const other = prefix === 'svix' ? 'webhook' : 'svix';
	test.each<{readonly what: string; readonly added: OutgoingHttpHeaders}>([
		{what: 'as it was', added: {}},
		{what: 'X-GitHub-Delivery', added: {'X-GitHub-Delivery': 'another'}},
		{what: 'x-github-delivery in small letters', added: {'x-github-delivery': 'another'}},
		{what: 'X-Request-ID', added: {'X-Request-ID': 'another'}},
		{what: 'the id header of the other names', added: {[`${other}-id`]: 'another'}},
		{what: 'the other names in capitals', added: {[`${other}-ID`.toUpperCase()]: 'another'}},
		{what: 'two id headers', added: {'X-GitHub-Delivery': 'another', [`${other}-id`]: 'a third', 'X-Request-ID': 'r'}},
		{what: 'an id header twice', added: {'X-GitHub-Delivery': ['another', 'a third']}},
		{what: 'an empty id header', added: {'X-GitHub-Delivery': ''}},
	])('is a duplicate when it is posted again with $what', async ({added}) => {
		const {post, taken} = await openRoute();
		const headers = standard(prefix);
		expect(await post(headers)).toBe('202 accepted msg_1');
		expect(await post({...headers, ...added})).toBe('200 duplicate msg_1');
		// The first that comes may be the changed one.
		const second = standard(prefix, {id: 'msg_2'});
		expect(await post({...second, ...added})).toBe('202 accepted msg_2');
		expect(await post(second)).toBe('200 duplicate msg_2');
		expect((await taken()).toSorted()).toEqual(['msg_1', 'msg_2']);
	});

	test('is a duplicate when its headers are given their other names', async () => {
		const {post, taken} = await openRoute();
		const time = seconds();
		expect(await post(standard(prefix, {time}))).toBe('202 accepted msg_1');
		expect(await post(standard(other, {time}))).toBe('200 duplicate msg_1');
		expect(await taken()).toEqual(['msg_1']);
	});

	test.each<{readonly what: string; readonly changed: OutgoingHttpHeaders}>([
		{what: 'another id', changed: {[`${prefix}-id`]: 'another'}},
		{what: 'its id header twice', changed: {[`${prefix}-id`]: ['msg_1', 'msg_1']}},
		{what: 'a second id header before its own', changed: {[`${prefix}-id`]: ['another', 'msg_1']}},
		{what: 'an id header in capitals behind its own', changed: {[`${prefix}-ID`]: ['msg_1', 'another']}},
	])('is not signed with $what', async ({changed}) => {
		const {post, taken} = await openRoute();
		const names = new Set(Object.keys(changed).map(name => name.toLowerCase()));
		const kept = Object.entries(standard(prefix)).filter(([name]) => !names.has(name));
		expect(await post({...Object.fromEntries(kept), ...changed})).toBe('401 Invalid signature');
		expect(await taken()).toEqual([]);
		expect(await post(standard(prefix))).toBe('202 accepted msg_1');
	});

	test('without an id is not signed: its repetition could not be recognised', async () => {
		const {post, taken} = await openRoute();
		const {[`${prefix}-id`]: _id, ...headers} = standard(prefix, {id: ''});
		expect(await post(headers)).toBe('401 Invalid signature');
		expect(await post({...headers, 'x-request-id': 'r'})).toBe('401 Invalid signature');
		expect(await taken()).toEqual([]);
	});
});

test('with both sets of headers the one that decides about the signature gives the id', async () => {
	const {post, taken} = await openRoute();
	const first = standard('webhook', {id: 'msg_1'});
	const forged = {...standard('svix', {id: 'msg_2'}), 'svix-signature': `v1,${'A'.repeat(43)}=`};
	expect(await post({...first, ...forged})).toBe('202 accepted msg_1');
	expect(await post({...first, ...standard('svix', {id: 'msg_3'})})).toBe('200 duplicate msg_1');
	const text = '{"title":"two"}';
	expect(await post({...first, ...standard('svix', {id: 'msg_4', text})}, {text})).toBe('401 Invalid signature');
	expect(await taken()).toEqual(['msg_1']);
});

test('a long id that is signed is stored as its hash', async () => {
	const {post} = await openRoute();
	const headers = standard('webhook', {id: 'x'.repeat(1000)});
	expect(await post(headers)).toMatch(/^202 accepted sha256:[0-9a-f]{64}$/u);
	expect(await post({...headers, 'x-github-delivery': 'another'})).toMatch(/^200 duplicate sha256:/u);
});

type Signed = {
	readonly headers: OutgoingHttpHeaders;
	readonly text?: string;
	readonly search?: string;
	readonly route?: Partial<RouteConfig>;
};

/** A message that the preset takes. */
function presetMessage(name: PresetName): Signed {
	const provider = providerOf(name);
	const {headers, body: text} = provider.send(body, Number(seconds()));
	const {signature, issuers, topics, secrets} = routeOf(provider);
	return {headers, text, route: {signature, issuers, topics, secrets}};
}

describe('where no id is signed the id headers count', () => {
	const time = seconds();
	const descriptor = toSignatureScheme({
		header: 'X-Sum',
		timestamp_header: 'X-Time',
		signed: 'v0:{timestamp}:{body}',
		tolerance: 3600,
	});
	test.each<{readonly name: string; readonly sent: Signed}>([
		{name: 'X-Hub-Signature-256', sent: {headers: {'x-hub-signature-256': `sha256=${hmac(body, 'hex')}`}}},
		{name: 'X-Gitlab-Token', sent: {headers: {'x-gitlab-token': secret}}},
		{
			name: 'X-Webhook-Signature-V2',
			sent: {
				headers: {'x-webhook-timestamp': time, 'x-webhook-signature-v2': hmac(`${time}.${body}`, 'hex')},
			},
		},
		{name: 'X-Webhook-Signature', sent: {headers: {'x-webhook-signature': hmac(body, 'hex')}}},
		// A message of SNS has its id in what is signed.
		...presetNames.filter(name => name !== 'sns').map(name => ({name, sent: presetMessage(name)})),
		{
			name: 'a descriptor',
			sent: {
				headers: {'x-time': time, 'x-sum': hmac(`v0:${time}:${body}`, 'hex')},
				route: {signature: descriptor},
			},
		},
		{name: 'no signature', sent: {headers: {}, route: {secrets: ['INSECURE_NO_AUTH']}}},
		{
			name: 'no signature, on a message that carries one',
			sent: {
				headers: {'webhook-signature': 'v1,AAAA', 'webhook-timestamp': '1'},
				route: {secrets: ['INSECURE_NO_AUTH']},
			},
		},
	])('$name', async ({sent: {headers, text, search, route}}) => {
		const {post} = await openRoute(route);
		for (const header of ['x-github-delivery', 'svix-id', 'webhook-id', 'x-request-id']) {
			const send = (id: string) => post({...headers, [header]: id}, {text, search});
			expect(await send(`${header}-1`)).toBe(`202 accepted ${header}-1`);
			expect(await send(`${header}-1`)).toBe(`200 duplicate ${header}-1`);
			expect(await send(`${header}-2`)).toBe(`202 accepted ${header}-2`);
		}

		expect(await post(headers, {text, search})).toMatch(/^202 accepted \d{13}-/u);
	});
});

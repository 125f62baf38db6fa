import {generateKeyPairSync} from 'node:crypto';
import {describe, expect, test} from 'vitest';
import {type PresetName, presetNames, presets} from '../../source/config/webhooks/presets/preset-table.ts';
import {openHandler} from './open-handler.ts';
import {providerKeySets, providerOf, type ProviderMessage, routeOf} from './provider-messages.ts';

const routeUrl = '/webhooks/r';

/** One route with the preset, and the sender that fits it. */
function openPreset(name: PresetName, events: readonly string[] = []) {
	const provider = providerOf(name);
	const handler = openHandler({routes: [{name: 'r', ...routeOf(provider), events}], keySets: providerKeySets()});
	const post = ({body, headers, target}: ProviderMessage) =>
		handler.post({url: target ?? routeUrl, body, headers: {'content-type': 'application/json', ...headers}});
	const seconds = () => Math.floor(handler.clock.now() / 1000);
	return {...handler, provider, deliver: post, seconds};
}

/** Discord's webhook events are acknowledged without a body. */
const acceptedStatus = (name: PresetName) => (name === 'discord' ? 204 : 202);
const ignoredStatus = (name: PresetName) => (name === 'discord' ? 204 : 200);

describe.each(presetNames)('%s', name => {
	test('its message is accepted, with the event type and the id of its documentation', async () => {
		const {deliver, provider, seconds, journal} = openPreset(name, [presets[name].sample.event]);
		expect(await deliver(provider.sendSample(seconds()))).toMatchObject({status: acceptedStatus(name)});
		const {event, id} = provider.sample;
		expect(journal.runs).toMatchObject([{event, deliveryId: id ?? expect.stringMatching(/^\d{13}-/u)}]);
	});

	test('another event type is ignored', async () => {
		const {deliver, provider, seconds, journal} = openPreset(name, ['another']);
		expect(await deliver(provider.sendSample(seconds()))).toMatchObject({
			status: ignoredStatus(name),
			reason: 'event',
		});
		expect(journal.runs).toEqual([]);
	});

	test('with one byte flipped it is refused, and without its signature', async () => {
		const {deliver, provider, seconds, journal} = openPreset(name);
		const message = provider.sendSample(seconds());
		const flipped = Buffer.from(message.body);
		flipped.writeUInt8(flipped.readUInt8(flipped.length - 2) ^ 1, flipped.length - 2);
		const isSigned = !['token', 'jwt'].includes(presets[name].signature.algorithm ?? '');
		expect(await deliver({...message, body: flipped.toString('latin1')})).toMatchObject({
			status: isSigned ? 401 : expect.any(Number),
		});
		expect(await deliver(withoutProof(name))).toMatchObject({status: 401});
		expect(journal.runs.length).toBeLessThanOrEqual(isSigned ? 0 : 1);
		expect(await deliver(message)).toMatchObject({status: acceptedStatus(name)});
	});

	test('signed with another secret it is refused', async () => {
		const {post, provider, seconds} = {...openPreset(name), ...openOtherSecret(name)};
		const {body, headers} = provider.sendSample(seconds());
		expect(await post({url: routeUrl, body, headers})).toMatchObject({status: 401});
	});
});

/** The sample without what proves it, in its headers or in its body. */
function withoutProof(name: PresetName): ProviderMessage {
	const {sample} = presets[name];
	return {headers: sample.headers ?? {}, body: JSON.stringify(sample.payload)};
}

/** Public keys of somebody else. */
const publicKeys: Readonly<Partial<Record<PresetName, string>>> = {
	discord: '11'.repeat(32),
	sendgrid: generateKeyPairSync('ec', {namedCurve: 'P-256'})
		.publicKey.export({format: 'der', type: 'spki'})
		.toString('base64'),
};

function openOtherSecret(name: PresetName) {
	const provider = providerOf(name);
	const secret = publicKeys[name] ?? 'another secret';
	const {post} = openHandler({
		routes: [{name: 'r', ...routeOf({...provider, secret})}],
	});
	return {post};
}

const withId = presetNames.filter(name => presets[name].sample.id !== undefined);

test('most presets have an id, so that their retries are recognised', () => {
	expect(withId.length).toBeGreaterThan(presetNames.length / 2);
});

describe.each(withId)('a message of %s that comes again', name => {
	const retrySeconds = presets[name].retrySeconds ?? 3600;

	test('is a duplicate as long as the provider retries', async () => {
		const {deliver, provider, seconds, journal, clock} = openPreset(name);
		expect(await deliver(provider.sendSample(seconds()))).toMatchObject({status: 202});
		let passed = 0;
		for (const after of [3, 10, 72_000, retrySeconds].filter(wait => wait <= Math.max(3600, retrySeconds))) {
			await clock.advance((after - passed - 1) * 1000);
			passed = after - 1;
			expect(await deliver(provider.sendSample(seconds()))).toMatchObject({status: 200, name: 'duplicate'});
		}

		expect(journal.runs).toHaveLength(1);
	});

	test('with another id header beside its own is a duplicate', async () => {
		const {deliver, provider, seconds, journal} = openPreset(name);
		const added: Readonly<Record<string, string>> =
			name === 'bearer' ? {} : {'x-request-id': 'another', 'x-github-delivery': 'a third'};
		const message = provider.sendSample(seconds());
		expect(await deliver(message)).toMatchObject({status: 202});
		const again = provider.sendSample(seconds());
		expect(await deliver({...again, headers: {...again.headers, ...added}})).toMatchObject({name: 'duplicate'});
		expect(journal.runs).toHaveLength(1);
	});
});

test('after the time of the retries an id is new again', async () => {
	const {deliver, provider, seconds, journal, clock} = openPreset('shopify');
	await deliver(provider.sendSample(seconds()));
	await clock.advance(4 * 3_600_000);
	expect(await deliver(provider.sendSample(seconds()))).toMatchObject({status: 202});
	expect(journal.runs).toHaveLength(2);
});

describe('Discord', () => {
	const open = () => {
		const {deliver, provider, seconds, journal} = openPreset('discord');
		const send = (payload: object) => deliver(provider.send(JSON.stringify(payload), seconds()));
		return {send, journal};
	};
	const event = {version: 1, application_id: '1'};

	test('the PING of webhook events gets 204 and no body, that of interactions a pong', async () => {
		const {send, journal} = open();
		expect(await send({...event, type: 0})).toMatchObject({status: 204, text: '', reason: 'handshake'});
		expect(await send({...event, type: 1, token: 't', id: '1'})).toMatchObject({
			status: 200,
			body: {type: 1},
			headers: {'x-content-type-options': 'nosniff'},
		});
		expect(journal.runs).toEqual([]);
	});

	test('an interaction has the answers of every route, and its id', async () => {
		const {send, journal} = open();
		const interaction = {...event, type: 2, token: 't', id: '42', data: {name: 'ask'}};
		expect(await send(interaction)).toMatchObject({status: 202, body: {status: 'accepted', delivery_id: '42'}});
		expect(await send(interaction)).toMatchObject({status: 200, body: {status: 'duplicate'}});
		expect(journal.runs).toHaveLength(1);
	});
});

describe('a challenge in the body', () => {
	const ask = (challenge: unknown) => {
		const {deliver, provider, seconds, journal} = openPreset('slack');
		const body = JSON.stringify({type: 'url_verification', challenge, token: 't'});
		return {reply: deliver(provider.send(body, seconds())), journal};
	};

	test('that is a script is sent back as JSON that no browser takes for a page', async () => {
		const challenge = '<script>alert(1)</script>';
		expect(await ask(challenge).reply).toMatchObject({
			status: 200,
			body: {challenge},
			headers: {'x-content-type-options': 'nosniff'},
		});
	});

	test.each(['', 'x'.repeat(1025), 'a\nb', 'ü', 5, undefined])(
		'%j is refused, with the reason in its row',
		async value => {
			const {reply, journal} = ask(value);
			expect(await reply).toMatchObject({status: 400, body: {error: 'Bad request'}});
			expect(journal.rows).toMatchObject([{outcome: 'rejected', reason: expect.stringContaining('challenge')}]);
			expect(journal.runs).toEqual([]);
		},
	);
});

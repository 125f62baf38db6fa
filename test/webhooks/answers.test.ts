import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {createFakeClock, type FakeClock} from '../helpers/fake-clock.ts';
import {openTestJournal} from '../helpers/journal-records.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';
import {openDiscordInteractions} from '../simulators/callers/discord-interaction.ts';
import {openSlackCommands} from '../simulators/callers/slack-command.ts';
import {openTwilioMessages} from '../simulators/callers/twilio-webhook.ts';
import {openSms} from '../simulators/platforms/sms.ts';
import {answeringRoute, openAnswers} from './open-answers.ts';

const slack = answeringRoute('slack', {wait: 25, body: '{result}!', content_type: 'text/plain'});
const discord = answeringRoute('discord', {
	body: '{"type":4,"data":{"content":"{result}"}}',
	content_type: 'application/json',
});
const twilio = answeringRoute('twilio', {
	body: '<Response><Message>{result}</Message></Response>',
	content_type: 'text/xml',
});

type Changes = Partial<Omit<Parameters<typeof openAnswers>[0], 'clock'>> & {readonly clock?: FakeClock};

/** A gateway with the three callers; time stands still. */
async function open({clock = createFakeClock(), ...changes}: Changes = {}) {
	const callers = {
		slack: await openSlackCommands(),
		discord: await openDiscordInteractions(),
		twilio: openTwilioMessages(),
	};
	const sms = await openSms();
	const gateway = await openAnswers({
		clock,
		journal: openTestJournal({clock}),
		routes: [slack, discord, twilio],
		places: [callers.slack.later, callers.discord.later],
		platforms: {
			sms: {
				account_sid: 'AC00000000000000000000000000000001',
				auth_token: '0123456789abcdef0123456789abcdef',
				from: '+15550001111',
				base_url: sms.baseUrl,
			},
		},
		...changes,
	});
	const address = (name: string) => `${gateway.url}/webhooks/${name}`;
	const begun = async (count = 1) => {
		await expect.poll(() => gateway.asked.length).toBe(count);
		const run = gateway.asked.at(-1);
		if (!run) {
			throw new Error('no run began');
		}

		return run;
	};

	return {
		...gateway,
		clock,
		callers,
		sms,
		begun,
		ask: () => callers.slack.type(address('slack'), {at: clock.now()}),
		interact: () => callers.discord.use(address('discord'), {at: clock.now()}),
		write: (more: {readonly id?: string} = {}) => callers.twilio.send(address('twilio'), {text: 'weather', ...more}),
	};
}

describe('a result that is there in time is the answer to the request', () => {
	test('of a Slack command', async () => {
		const {ask, begun, messages, ofType} = await open();
		const seen = ask();
		(await begun()).answer('Sunny');
		expect(await seen).toBe('Sunny!');
		await expect.poll(messages).toEqual([
			{target: 'caller', state: 'sent', text: 'Sunny'},
			{target: 'log', state: 'sent', text: 'Sunny'},
		]);
		expect(ofType('webhook.settled')).toMatchObject([{status: 200, outcome: 'accepted'}]);
	});

	test('of a Discord interaction', async () => {
		const {interact, begun, callers} = await open();
		const seen = interact();
		(await begun()).answer('Sunny "all" day\n@everyone');
		expect(await seen).toBe('Sunny "all" day\n@everyone');
		expect(callers.discord.later.received).toEqual([]);
	});

	test('of a message to a Twilio number, whatever the model writes', async () => {
		const {write, begun} = await open();
		const seen = write();
		const hostile = '</Message><Redirect>https://evil.example</Redirect><Message>&amp;';
		(await begun()).answer(hostile);
		expect(await seen).toEqual([hostile]);
	});
});

test('the row of an answered event has the status that the sender got', async () => {
	const {ask, begun, journal, clock} = await open();
	const seen = ask();
	(await begun()).answer('Sunny');
	await seen;
	await clock.settle();
	expect(await journal.listEvents({limit: 1})).toMatchObject([{status: 200, outcome: 'accepted'}]);
});

describe('a later result', () => {
	test('of a Slack command goes to its response_url, once', async () => {
		const {ask, begun, clock, callers, messages} = await open();
		const seen = ask();
		const run = await begun();
		await clock.advance(2499);
		expect(callers.slack.later.received).toEqual([]);
		await clock.advance(1);
		expect(await seen).toBe('');
		await clock.advance(60_000);
		run.answer('Sunny <b> & <!channel>');
		await expect
			.poll(() => callers.slack.later.received.map(({body}) => body))
			.toEqual([JSON.stringify({text: 'Sunny &lt;b&gt; &amp; &lt;!channel&gt;!'})]);
		await expect.poll(messages).toMatchObject([{target: 'caller', state: 'sent'}, {target: 'log'}]);
	});

	test('of a Discord interaction replaces the deferred answer', async () => {
		const {interact, begun, clock, callers, messages} = await open();
		const seen = interact();
		const run = await begun();
		await clock.advance(2500);
		expect(await seen).toBe('thinking…');
		await clock.advance(60_000);
		run.answer('Sunny');
		await expect
			.poll(() => callers.discord.later.received.map(({body}) => JSON.parse(body)))
			.toEqual([{allowed_mentions: {parse: []}, content: 'Sunny'}]);
		await expect.poll(messages).toMatchObject([{target: 'caller', state: 'sent'}, {target: 'log'}]);
	});

	test('for a Twilio number is a message to the sender', async () => {
		const {write, begun, clock, sms, messages} = await open();
		const seen = write();
		const run = await begun();
		await clock.advance(14_500);
		expect(await seen).toEqual([]);
		await clock.advance(60_000);
		run.answer('Sunny');
		await expect.poll(() => sms.received.map(({chat, text}) => [chat, text])).toEqual([['+15550100002', 'Sunny']]);
		await expect.poll(messages).toMatchObject([{target: 'caller', state: 'sent'}, {target: 'log'}]);
	});

	test('waits until the acknowledgement has certainly arrived', async () => {
		const {interact, begun, clock, callers, messages} = await open();
		const seen = interact();
		const run = await begun();
		await clock.advance(2500);
		expect(await seen).toBe('thinking…');
		run.answer('Sunny');
		await expect.poll(messages).toMatchObject([{target: 'caller', state: 'pending'}, {target: 'log'}]);
		await clock.advance(999);
		expect(callers.discord.later.received).toEqual([]);
		await clock.advance(1);
		await expect.poll(() => callers.discord.later.received.length).toBe(1);
	});

	test.each([
		{end: 'is silent', act: 'silent', text: 'There is nothing to answer.'},
		{end: 'fails', act: 'fail', text: 'The request could not be completed.'},
	] as const)('of a run that $end is a fixed text', async ({act, text}) => {
		const {interact, begun, clock, callers} = await open();
		const seen = interact();
		const run = await begun();
		await clock.advance(2500);
		expect(await seen).toBe('thinking…');
		if (act === 'fail') {
			run.fail();
		} else {
			run.answer('[SILENT]');
		}

		await clock.advance(1000);
		await expect.poll(() => callers.discord.later.received.map(({body}) => JSON.parse(body).content)).toEqual([text]);
	});

	test('after the provider has closed its address is not sent, and the row says so', async () => {
		const {interact, begun, clock, callers, messages} = await open();
		const seen = interact();
		const run = await begun();
		await clock.advance(2500);
		await seen;
		await clock.advance(900_000);
		run.answer('Sunny');
		await expect.poll(messages).toMatchObject([
			{target: 'caller', state: 'failed', detail: 'its address is not valid any more'},
			{target: 'log', state: 'sent'},
		]);
		expect(callers.discord.later.received).toEqual([]);
	});

	test('is sent after a restart between acknowledgement and result', async () => {
		const clock = createFakeClock();
		const path = join(temporaryDirectory(), 'journal.db');
		const journal = openTestJournal({clock, path});
		const first = await open({clock, journal, takesRuns: false});
		const seen = first.callers.slack.type(`${first.url}/webhooks/slack`, {at: clock.now()});
		await expect.poll(async () => (await journal.listRuns({limit: 1})).length).toBe(1);
		await clock.advance(2500);
		expect(await seen).toBe('');
		await first.stop();
		await journal.close();

		const next = openTestJournal({clock, path});
		const second = await open({clock, journal: next});
		const run = await second.begun();
		await clock.advance(60_000);
		run.answer('Sunny');
		await expect.poll(() => second.callers.slack.later.received.map(({body}) => body)).toEqual(['{"text":"Sunny!"}']);
	});
});

describe('an event that leads to nothing', () => {
	test.each([
		{name: 'slack', seen: ''},
		{name: 'discord', seen: '(only you) There is nothing to do.'},
		{name: 'twilio', seen: []},
	] as const)('is answered in the form of $name', async ({name, seen}) => {
		const routes = [slack, discord, twilio].map(route => ({...route, events: ['never']}));
		const {ask, interact, write, journal, clock} = await open({routes});
		const act = {slack: ask, discord: interact, twilio: write}[name];
		expect(await act()).toEqual(seen);
		await clock.settle();
		expect(await journal.listEvents({limit: 1})).toMatchObject([{status: 200, outcome: 'ignored', reason: 'event'}]);
	});

	test('is a duplicate that comes while the first waits', async () => {
		const {interact, write, begun, asked, callers} = await open();
		const first = interact();
		const run = await begun();
		expect(await interact()).toBe('(only you) There is nothing to do.');
		run.answer('Sunny');
		expect(await first).toBe('Sunny');
		const message = write({id: 'one'});
		(await begun(2)).answer('Rain');
		expect(await message).toEqual(['Rain']);
		expect(await write({id: 'one'})).toEqual([]);
		expect([asked.length, callers.discord.later.received]).toEqual([2, []]);
	});
});

test('a stop acknowledges the requests that wait, at once', async () => {
	const {ask, interact, begun, stop} = await open();
	const seen = [ask(), interact()];
	await begun(2);
	const stopped = stop();
	expect(await Promise.all(seen)).toEqual(['', 'thinking…']);
	await stopped;
});

test('a caller that goes away gets the result at its address', async () => {
	const {url, begun, clock, callers, messages, ofType} = await open();
	const leaving = new AbortController();
	const seen = callers.slack.type(`${url}/webhooks/slack`, {at: clock.now(), signal: leaving.signal});
	const run = await begun();
	leaving.abort();
	expect(await seen).toBe('operation_timeout');
	await expect.poll(() => ofType('webhook.settled').length).toBe(1);
	run.answer('Sunny');
	await clock.advance(3500);
	await expect.poll(() => callers.slack.later.received.map(({body}) => body)).toEqual(['{"text":"Sunny!"}']);
	await expect.poll(messages).toMatchObject([
		{target: 'caller', state: 'sent'},
		{target: 'log', state: 'sent'},
	]);
});

test('what lets anybody answer is in no event, prompt or list', async () => {
	const routes = [
		{...slack, prompt: '{__raw__} {response_url}'},
		{...discord, deliverExtra: {chat: '{token}'}},
	];
	const {ask, interact, begun, clock, events, messages, journal} = await open({routes});
	const seen = [ask(), interact()];
	await begun(2);
	await clock.advance(2500);
	await Promise.all(seen);
	const runs = (await journal.listRuns({limit: 10})).map(run => ({...run, caller: undefined}));
	const shown = JSON.stringify([events, runs, await messages()]);
	expect(shown).not.toMatch(/abcdefghijkl|aW50ZXJh/u);
	expect(shown).toContain('‹masked›');
});

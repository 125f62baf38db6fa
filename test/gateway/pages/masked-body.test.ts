import {expect, test} from 'vitest';
import {maskedBody} from '../../../source/gateway/pages/stored-events.ts';
import {type EventCaller} from '../../../source/state/event-caller.ts';

function callerAt(preset: string, url: string): {readonly caller: EventCaller} {
	const body = {contentType: 'text/plain', pieces: ['', '']} as const;
	return {caller: {waitsUntil: 0, body, later: {kind: 'address', preset, url, validUntil: 0}}};
}

const slack = callerAt('slack', 'https://hooks.slack.com/commands/T1/22/AbCdEfGhIjKl');
const discord = callerAt(
	'discord',
	'https://discord.com/api/v10/webhooks/845027738276462632/aW50ZXJhY3Rp/messages/@original',
);

test.each([
	['a form', 'text=hi&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1%2F22%2FAbCdEfGhIjKl', slack],
	[
		'JSON in a form',
		'payload=%7B%22response_url%22%3A%22https%3A%5C%2F%5C%2Fhooks.slack.com%5C%2FAbCdEfGhIjKl%22%7D',
		slack,
	],
	['JSON', '{"response_url":"https:\\/\\/hooks.slack.com\\/commands\\/T1\\/22\\/AbCdEfGhIjKl"}', slack],
	['an interaction', '{"application_id":"845027738276462632","token":"aW50ZXJhY3Rp"}', discord],
])('the address of a caller is not shown in %s', (_what, body, row) => {
	const shown = maskedBody(body, [{}, row]);
	expect(shown).toBe(body.replace(/AbCdEfGhIjKl|aW50ZXJhY3Rp/u, '‹masked›'));
	expect(maskedBody(body, [{}])).toBe(body);
});

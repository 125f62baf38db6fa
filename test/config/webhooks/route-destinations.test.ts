import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../../source/config/read/load-config.ts';
import {to} from '../../helpers/destinations.ts';

function route(entry: Record<string, unknown>) {
	const text = JSON.stringify({platforms: {webhook: {secret: 'global', routes: {one: entry}}}});
	const {webhook} = readConfigText('config.yaml', text, () => undefined).config;
	return {route: webhook.routes[0], broken: webhook.brokenRoutes[0]};
}

describe('the destinations of a route', () => {
	test.each([
		[
			{deliver: ['slack', {target: 'telegram', extra: {chat_id: '{chat}'}}, {target: 'log'}], deliver_extra: {a: 1}},
			{
				deliver: [
					{target: 'slack', extra: {a: 1}},
					{target: 'telegram', extra: {chat_id: '{chat}'}},
					{target: 'log', extra: {a: 1}},
				],
			},
		],
		[{on_failure: {deliver: 'slack', extra: {chat_id: 'C1'}}}, {onFailure: to('slack', {chat_id: 'C1'})}],
		[
			{on_failure: {deliver: ['slack', {target: 'email', extra: {chat_id: 'a@b.c'}}]}},
			{onFailure: [...to('slack'), ...to('email', {chat_id: 'a@b.c'})]},
		],
	])('%j', (entry, expected) => {
		expect(route(entry).route).toMatchObject(expected);
	});

	test.each([{deliver: ['slack', 'telegramm']}, {on_failure: {deliver: 'telegramm'}}])(
		'an unknown target in %j is named, too',
		entry => {
			expect(route(entry).broken?.problem).toMatchObject({
				code: 'unknown_target',
				message: expect.stringContaining('did you mean "telegram"?'),
			});
		},
	);
});

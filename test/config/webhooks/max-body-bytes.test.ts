import {describe, expect, test} from 'vitest';
import {readConfigText} from '../../../source/config/read/load-config.ts';

function read(webhook: unknown) {
	const {config} = readConfigText('config.yaml', JSON.stringify({platforms: {webhook}}), () => undefined);
	return {
		webhook: config.webhook,
		problems: config.problems.map(problem => `${problem.level}: ${problem.place?.keyPath}: ${problem.message}`),
	};
}

function route(written: unknown) {
	const {webhook, problems} = read({secret: 'global', routes: {one: {max_body_bytes: written}}});
	return {maxBodyBytes: webhook.routes[0]?.maxBodyBytes, problems};
}

describe('max_body_bytes of a route', () => {
	test.each([
		[26_214_400, 26_214_400],
		['1', 1],
		[undefined, undefined],
	])('%j', (written, maxBodyBytes) => {
		expect(route(written)).toEqual({maxBodyBytes, problems: []});
	});

	test.each([0, 26_214_401, 1.5, 'big'])('%j is left to the receiver, with a warning', written => {
		expect(route(written)).toEqual({
			maxBodyBytes: undefined,
			problems: [
				expect.stringMatching(/^warning: platforms\.webhook\.routes\.one\.max_body_bytes: .*from 1 to 26214400/u),
			],
		});
	});
});

test('max_body_bytes of the receiver beyond 25 MB is 25 MB, with a warning', () => {
	const {webhook, problems} = read({max_body_bytes: 104_857_600});
	expect([webhook.maxBodyBytes, problems]).toEqual([
		26_214_400,
		['warning: platforms.webhook.max_body_bytes: A body may have at most 26214400 bytes. Using 26214400'],
	]);
});

import {describe, expect, test} from 'vitest';
import {deliveryTargets} from '../../source/config/platforms/platform-keys.ts';
import {findTarget, isTargetName, unknownTarget} from '../../source/delivery/find-target.ts';

/** As the specification lists them. */
const specified =
	'log github_comment telegram discord slack signal sms whatsapp matrix mattermost homeassistant email dingtalk feishu wecom weixin bluebubbles qqbot teams google_chat ntfy pagerduty url'.split(
		' ',
	);

test('every target that the documents name is known, and no other', () => {
	expect(deliveryTargets).toEqual(specified);
});

test.each(specified)('%s is built, under its own name', async name => {
	expect(await findTarget(name)).toMatchObject({name});
});

describe.each(['', 'Log', 'log ', 'constructor', '__proto__', 'toString', 'pager'])('the name %j', name => {
	test('is no target', () => {
		expect(isTargetName(name)).toBe(false);
	});

	test('is refused with a list of the known ones', async () => {
		expect(await findTarget(name)).toMatchObject({
			code: 'unknown_target',
			message: expect.stringContaining('Allowed: log, github_comment, telegram'),
		});
	});
});

test('a hostile name is shown harmless and cut', () => {
	const {message} = unknownTarget(`\u001B[2J${'x'.repeat(10_000)}`);
	expect(message).not.toContain('\u001B');
	expect(message.length).toBeLessThan(400);
});

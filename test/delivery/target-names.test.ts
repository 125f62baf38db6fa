import {describe, expect, test} from 'vitest';
import {checkTargetName, isBuiltTargetName, isTargetName, targetNames} from '../../source/delivery/target-names.ts';

/** As the specification lists them. */
const specified =
	'log github_comment telegram discord slack signal sms whatsapp matrix mattermost homeassistant email dingtalk feishu wecom weixin bluebubbles qqbot'.split(
		' ',
	);

test('all eighteen names of the specification are known, and no other', () => {
	expect(targetNames).toEqual(specified);
});

test.each(specified.filter(name => name !== 'log'))('%s is known and not supported yet', name => {
	expect(checkTargetName(name)).toMatchObject({
		code: 'not_supported_yet',
		message: `not supported yet: deliver ${name}`,
	});
});

test('log can be delivered to', () => {
	expect(checkTargetName('log')).toBeUndefined();
});

describe.each(['', 'Log', 'log ', 'constructor', '__proto__', 'toString', 'pager'])('the name %j', name => {
	test('is no target', () => {
		expect([isTargetName(name), isBuiltTargetName(name)]).toEqual([false, false]);
	});

	test('is refused with a list of the known ones', () => {
		const problem = checkTargetName(name);
		expect(problem?.code).toBe('unknown_target');
		expect(problem?.message).toContain('known are log, github_comment, telegram');
	});
});

test('a hostile name is shown harmless and cut', () => {
	const problem = checkTargetName(`\u001B[2J${'x'.repeat(10_000)}`);
	expect(problem?.message).not.toContain('\u001B');
	expect(problem?.message.length).toBeLessThan(400);
});

import {expect, test} from 'vitest';
import {platformFindings} from '../../../source/commands/doctor/doctor.ts';
import {readConfigText} from '../../../source/config/read/load-config.ts';

/** What doctor says about these platforms, where routes deliver to `used`. */
function options(platforms: object, used: readonly string[] = []) {
	const {config} = readConfigText('config.yaml', JSON.stringify({platforms}), () => undefined);
	const scope = {variables: () => undefined, expand: (text: string) => text};
	const findings = platformFindings(config.platforms, {scope, usedByRoutes: used});
	return findings.map(({check, level, message}) => `${level} ${check}: ${message}`);
}

test('a platform that nobody configured and no route names is not reported', () => {
	expect(options({})).toEqual([]);
});

test('a complete platform is fine, and nothing was sent', () => {
	expect(options({telegram: {token: 'x'}})).toEqual([
		'ok platform telegram: Its settings are complete; nothing was sent',
	]);
});

test('what a platform lacks is a warning, also when only a route names it', () => {
	const words = 'warning platform telegram: platforms.telegram.token is missing (or the variable TELEGRAM_BOT_TOKEN)';
	expect([options({telegram: {home_channel: '1'}}), options({}, ['telegram'])]).toEqual([[words], [words]]);
});

test.each([
	[[], 'ok platform telegram: It is disabled'],
	[['telegram'], 'warning platform telegram: platforms.telegram is switched off (`enabled: false`)'],
])('a platform that is off, with routes to %j', (used, words) => {
	expect(options({telegram: {enabled: false}}, used)).toEqual([words]);
});

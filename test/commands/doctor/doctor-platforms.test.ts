import {expect, test} from 'vitest';
import {z} from 'zod';
import {runSluiceJson} from '../../helpers/run-sluice.ts';
import {stateDirectory} from '../../helpers/sluice.ts';

const findingsSchema = z.array(z.object({check: z.string(), level: z.string(), message: z.string()}));

/** The findings of doctor about these platforms, where routes deliver to `used`. */
async function options(platforms: object, used: readonly string[] = []) {
	const routes = Object.fromEntries(used.map(deliver => [`to-${deliver}`, {deliver, secret: 'x'}]));
	const home = stateDirectory({platforms: {webhook: {routes}, ...platforms}});
	const findings = findingsSchema.parse(await runSluiceJson({home}, 'doctor', '--offline'));
	return findings
		.filter(({check}) => check.startsWith('platform '))
		.map(({check, level, message}) => `${level} ${check}: ${message}`);
}

test('a platform that nobody configured and no route names is not reported', async () => {
	expect(await options({})).toEqual([]);
});

test('a complete platform is fine, and nothing was sent', async () => {
	expect(await options({telegram: {token: 'x'}})).toEqual([
		'ok platform telegram: Its settings are complete; nothing was sent',
	]);
});

test('what a platform lacks is a warning, also when only a route names it', async () => {
	const words = 'warning platform telegram: platforms.telegram.token is missing (or the variable TELEGRAM_BOT_TOKEN)';
	expect([await options({telegram: {home_channel: '1'}}), await options({}, ['telegram'])]).toEqual([[words], [words]]);
});

test.each([
	[[], 'ok platform telegram: It is disabled'],
	[['telegram'], 'warning platform telegram: platforms.telegram is switched off (`enabled: false`)'],
])('a platform that is off, with routes to %j', async (used, words) => {
	expect(await options({telegram: {enabled: false}}, used)).toEqual([words]);
});

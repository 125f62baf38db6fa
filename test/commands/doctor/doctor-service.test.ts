import {readFileSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {type Finding} from '../../../source/commands/doctor/finding.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {writeConfig} from '../../helpers/sluice.ts';
import {openService, writeUnit} from '../service/fake-managers.ts';

/** The finding of doctor about the service. */
async function serviceFindings(
	{home, env}: Pick<ReturnType<typeof openService>, 'home' | 'env'>,
	...flags: readonly string[]
): Promise<readonly Finding[]> {
	const {stdout} = await runSluice({home, env}, 'doctor', '--json', ...flags);
	return (JSON.parse(stdout) as readonly Finding[]).filter(({check}) => check === 'service');
}

test('doctor says nothing of a service where none is installed, and warns of what one lacks', async () => {
	const set = openService();
	const {service, path, answer} = set;
	expect(await serviceFindings(set)).toEqual([]);
	await service('install', '--yes');
	expect(await serviceFindings(set)).toEqual([
		expect.objectContaining({level: 'warning', remedy: expect.stringContaining('`loginctl enable-linger`')}),
	]);
	answer({'show-user': {code: 0, stdout: 'yes\n'}});
	expect(await serviceFindings(set)).toEqual([expect.objectContaining({level: 'ok'})]);
	writeFileSync(path, readFileSync(path, 'utf8').replace('UMask=0077', 'UMask=0022'));
	expect(await serviceFindings(set)).toEqual([
		expect.objectContaining({level: 'warning', remedy: expect.stringContaining('service install`, which shows')}),
	]);
});

test('doctor warns where a service manager waits less than a stop with drain_delay takes', async () => {
	const set = openService();
	const {service, path, answer} = set;
	answer({'show-user': {code: 0, stdout: 'yes\n'}});
	await service('install', '--yes');
	expect(await serviceFindings(set)).toEqual([expect.objectContaining({level: 'ok'})]);
	writeConfig(set.home, {gateway: {drain_delay: 30}});
	const short = {
		level: 'warning',
		message: 'sluice.service is killed 90 s after its stop began, and a stop may take 120 s with gateway.drain_delay',
		remedy: expect.stringMatching(
			/^Run `sluice .*service install`, or shorten `gateway.drain_delay` \(.*, line \d+\)$/u,
		),
	};
	expect(await serviceFindings(set)).toEqual([expect.objectContaining(short)]);
	expect(await serviceFindings(set, '--offline')).toEqual([expect.objectContaining(short)]);
	// A drop-in, which systemd alone knows.
	answer({'show-user': {code: 0, stdout: 'yes\n'}, show: {code: 0, stdout: 'TimeoutStopUSec=2min\n'}});
	expect(await serviceFindings(set)).toEqual([
		expect.objectContaining({message: expect.stringContaining('differs from the file that this version writes')}),
	]);
	// The gateway that runs would drain first.
	answer({'show-user': {code: 0, stdout: 'yes\n'}, restart: {code: 0}});
	await service('install', '--yes');
	expect(readFileSync(path, 'utf8')).toContain('\nTimeoutStopSec=120\n');
	expect(await serviceFindings(set)).toEqual([expect.objectContaining({level: 'ok'})]);
	writeUnit(path, '[Service]\nTimeoutStopSec=1min 30s\n');
	expect(await serviceFindings(set)).toEqual([
		expect.objectContaining({
			...short,
			remedy: expect.stringMatching(/^Set TimeoutStopSec=120 for sluice.service, or shorten/u),
		}),
	]);
});

test('doctor without connections asks nobody who lingers, and takes a unit of somebody else as it is', async () => {
	const set = openService();
	writeUnit(set.path, '[Service]\n');
	expect(await serviceFindings(set, '--offline')).toEqual([expect.objectContaining({level: 'ok'})]);
	writeUnit(set.path, '[Service]\nTimeoutStopSec=20\n');
	expect(await serviceFindings(set, '--offline')).toEqual([
		expect.objectContaining({
			message: expect.stringMatching(/ 20 s after its stop began, and a stop may take 90 s$/u),
			remedy: 'Set TimeoutStopSec=90 for sluice.service',
		}),
	]);
	expect(set.calls()).toEqual([]);
});

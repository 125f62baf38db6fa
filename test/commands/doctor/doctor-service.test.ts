import {readFileSync, writeFileSync} from 'node:fs';
import {expect, test} from 'vitest';
import {type Finding} from '../../../source/commands/doctor/finding.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {openService, writeUnit} from '../service/fake-managers.ts';

/** What doctor says of the service. */
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

test('doctor without connections asks nobody who lingers, and takes a unit of somebody else as it is', async () => {
	const set = openService();
	writeUnit(set.path, '[Service]\n');
	expect(await serviceFindings(set, '--offline')).toEqual([expect.objectContaining({level: 'ok'})]);
	expect(set.calls()).toEqual([]);
});

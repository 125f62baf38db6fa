import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {runSluice} from '../../helpers/run-sluice.ts';
import {readState, stateDirectory} from '../../helpers/sluice.ts';

test.each(['{"editor": {}}', '[]', 'not a configuration'])(
	'an import fails for a file with %s, and changes nothing',
	async text => {
		const home = stateDirectory('');
		const file = join(home, 'settings.json');
		writeFileSync(file, text);
		const {code, stderr} = await runSluice({home}, 'mcp', 'import', file, '--all');
		expect([code, stderr, readState(home, 'config.yaml')]).toEqual([
			1,
			expect.stringContaining(`No tool servers were found in ${file}; nothing was imported`),
			'',
		]);
	},
);

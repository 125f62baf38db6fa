import {dirname, parse} from 'node:path';
import {workerData} from 'node:worker_threads';
import Conf from 'conf';
import {type PreferencesWork} from './preferences.ts';

/** Writes the preferences and ends. What is in the file beside them stays; a file that is no JSON is cleared. */
const {path, preferences} = workerData as PreferencesWork;
const file = new Conf({
	cwd: dirname(path),
	configName: parse(path).name,
	configFileMode: 0o600,
	clearInvalidConfig: true,
});
file.set(preferences);

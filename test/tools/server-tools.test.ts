import {describe, expect, test} from 'vitest';
import {isRegistered} from '../../source/tools/server-tools.ts';

const names = ['read_file', 'read-dir', 'write_file', 'fs.delete', 'list'];

describe('the filters', () => {
	test.each<[string, {include?: readonly string[]; exclude: readonly string[]}, readonly string[]]>([
		['no filter', {exclude: []}, names],
		['an exact include (rule 1)', {include: ['list'], exclude: []}, ['list']],
		['a glob include', {include: ['read*'], exclude: []}, ['read_file', 'read-dir']],
		['an empty include', {include: [], exclude: []}, []],
		['an exact exclude (rule 2)', {exclude: ['list']}, ['read_file', 'read-dir', 'write_file', 'fs.delete']],
		['a glob exclude', {exclude: ['*_file', 'fs.*']}, ['read-dir', 'list']],
		['both for one name (rule 3)', {include: ['list', 'read*'], exclude: ['list']}, ['read_file', 'read-dir', 'list']],
		['both, with a name only excluded', {include: ['list'], exclude: ['write_file']}, ['list']],
		[
			'names with hyphens and dots (rule 4)',
			{include: ['read-dir', 'fs.delete'], exclude: []},
			['read-dir', 'fs.delete'],
		],
		['sanitised names (rule 4)', {include: ['read_dir', 'fs_delete'], exclude: []}, []],
		['another case', {include: ['LIST'], exclude: []}, []],
		['a part of a name', {include: ['read'], exclude: []}, []],
	])('with %s', (_, policy, registered) => {
		expect(names.filter(name => isRegistered(name, policy))).toEqual(registered);
	});
});

import {getBuiltinModule} from 'node:process';

const prefix = '\0light-builtin:';
const heavy = ['node:http', 'node:crypto', 'node:net'];

/*
An `import` reads every member of a module of Node, and some of them are made when they are first read: all of fetch behind node:http (forty
milliseconds), the web's cryptography behind node:crypto, lists of addresses behind node:net. In the program these modules are asked for only
what they have at once.
*/
export const lightBuiltins = {
	name: 'light-builtins',
	// A `require` gets the module itself and reads nothing of it; undici, for one, asks for members that are made late.
	resolveId: (id, _importer, {kind}) => (kind === 'import-statement' && heavy.includes(id) ? prefix + id : undefined),
	load(id) {
		if (!id.startsWith(prefix)) {
			return undefined;
		}

		const name = id.slice(prefix.length);
		const members = Object.entries(Object.getOwnPropertyDescriptors(getBuiltinModule(name)));
		const ready = members.filter(([, {value}]) => value !== undefined).map(([member]) => member);
		return `
			const builtin = process.getBuiltinModule(${JSON.stringify(name)});
			export const {${ready.filter(member => member !== 'default').join(', ')}} = builtin;
			export default builtin;
		`;
	},
};

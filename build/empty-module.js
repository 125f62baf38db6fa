// Stands for what a package imports and this program never uses.
export default undefined;

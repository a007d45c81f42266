export default { serverExternalPackages: ['spoor'] };

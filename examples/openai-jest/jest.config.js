module.exports = {
  testEnvironment: 'retake/jest/node',
  reporters: ['default', 'retake/jest/reporter'],
}
